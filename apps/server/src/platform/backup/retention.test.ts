import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@isotherm/kernel/durations'
import { toBackupName } from '@isotherm/kernel/machine/backup-name'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkBackups } from '../doctor/check-folders.ts'
import { BACKUP_FORMAT, type Manifest, writeManifest } from './manifest.ts'
import { listBackups, removeOldBackups } from './retention.ts'

const now = Date.parse('2026-11-27T12:00:00Z')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-retention-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A backup that was made some days before now. */
async function make(days: number, isEncrypted = false): Promise<string> {
  const at = now - days * DAY_MS
  const name = toBackupName(at)
  await mkdir(join(folder, name))
  const content: Manifest = {
    product: 'isotherm',
    format: BACKUP_FORMAT,
    version: '0.2.0',
    created: new Date(at).toISOString(),
    isEncrypted,
    secrets: 'secrets.zst',
    postgres: { version: '17', migrations: {}, tables: [], sequences: [] },
    clickhouse: { version: '26', migrations: [], tables: [] },
    files: [],
  }
  await writeManifest(join(folder, name), content, undefined)
  return name
}

test('backups that are dated in the future displace none of today and are never removed', async () => {
  const future = [await make(-400), await make(-401)]
  const past = [await make(1), await make(2), await make(3)]
  expect(await listBackups(folder)).toHaveLength(5)
  expect(await removeOldBackups(folder, 2, now)).toEqual([past[2]])
  expect((await readdir(folder)).toSorted()).toEqual([...future, ...past.slice(0, 2)].toSorted())
})

test('a clock that is years behind removes no backup of the years that it does not know', async () => {
  const made = [await make(1), await make(2), await make(3)]
  expect(await removeOldBackups(folder, 1, now - 1_000 * DAY_MS)).toEqual([])
  expect(await listBackups(folder)).toEqual(made)
})

test('what was left of a removal that was interrupted is no backup, and the next removal ends it', async () => {
  const [newest = '', old = ''] = [await make(1), await make(2)]
  await mkdir(join(folder, `${toBackupName(now - 9 * DAY_MS)}.old`))
  expect(await listBackups(folder)).toEqual([newest, old])
  expect(await removeOldBackups(folder, 1, now)).toEqual([old])
  expect(await readdir(folder)).toEqual([newest])
})

const states = async (keyFile?: string) =>
  (await checkBackups({ folder, at: '02:30', keep: 14, keyFile }, now)).map(({ state, what }) => [
    state,
    what,
  ])

test('the doctor names backups of the future and does not take them for the last one', async () => {
  const future = await make(-400)
  expect(await states()).toEqual([
    ['warning', `backups: 1 is dated in the future (${future})`],
    ['fault', `backups: ${folder} has none`],
  ])
  await make(3)
  expect((await states()).at(-1)).toEqual(['fault', expect.stringContaining('72 hours old')])
})

test('the doctor reads from the backup itself whether it is encrypted', async () => {
  await writeFile(join(folder, 'key'), 'a key of the tests, long enough for a backup')
  await make(0.5)
  expect(await states(join(folder, 'key'))).toEqual([
    ['warning', 'backups: the last one is 12 hours old, and it is not encrypted'],
  ])
  await make(0.25, true)
  expect(await states(join(folder, 'key'))).toEqual([
    ['ok', expect.stringContaining('6 hours old and encrypted')],
  ])
})
