import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkBackup } from './check-backup.ts'
import { BACKUP_FORMAT, type Manifest, writeManifest } from './manifest.ts'
import { writeSealed } from './sealed-file.ts'

const KEY = 'a key of the tests, long enough for a backup'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-manifest-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* once(text: string) {
  yield Buffer.from(text)
}

/** A whole backup of one table, as anybody could make it who knows the format. */
async function makeBackup(key: string | undefined): Promise<void> {
  const file = await writeSealed(folder, 'postgres-account.zst', once('1\tintruder\n'), key)
  const secrets = await writeSealed(folder, 'secrets.zst', once('{"mqtt":"a secret of many letters"}'), key)
  const manifest: Manifest = {
    product: 'isotherm',
    format: BACKUP_FORMAT,
    version: '0.2.0',
    created: '2026-11-27T02:30:00.000Z',
    isEncrypted: key !== undefined,
    secrets: 'secrets.zst',
    postgres: {
      version: '17',
      migrations: {},
      tables: [{ name: 'account', columns: ['id', 'name'], rows: 1, file: file.name }],
      sequences: [],
    },
    clickhouse: { version: '26', migrations: [], tables: [] },
    files: [file, secrets],
  }
  await writeManifest(folder, manifest, key)
}

test('with a key, a backup that was made without one is refused unless it is allowed', async () => {
  await makeBackup(undefined)
  await expect(checkBackup(folder, KEY)).rejects.toThrow(/is not encrypted, .*--allow-unencrypted/)
  expect(await checkBackup(folder, KEY, { allowUnencrypted: true })).toMatchObject({ isEncrypted: false })
  expect(await checkBackup(folder, undefined)).toMatchObject({ isEncrypted: false })
})

test('what is allowed for backups without encryption changes nothing for encrypted ones', async () => {
  await makeBackup(KEY)
  expect(await checkBackup(folder, KEY, { allowUnencrypted: true })).toMatchObject({ isEncrypted: true })
  await expect(
    checkBackup(folder, 'another key of the tests, long enough', { allowUnencrypted: true }),
  ).rejects.toThrow('the key is not that of this backup')
})
