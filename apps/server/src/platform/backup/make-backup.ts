import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toBackupName } from '@isotherm/kernel/machine/backup-name'
import type { ClickhouseCluster } from '../clickhouse/cluster.ts'
import type { Clock } from '../clock.ts'
import { makeFolder } from '../make-folder.ts'
import { BackupError } from './backup-error.ts'
import { withBackupLock } from './backup-lock.pg.ts'
import { type BackupSecrets, SECRETS_FILE } from './backup-secrets.ts'
import { checkBackup } from './check-backup.ts'
import { createDraft, finishDraft, removeDeadDrafts } from './drafts.ts'
import { dumpDatabase } from './dump-database.pg.ts'
import { dumpReadings } from './dump-readings.ch.ts'
import { BACKUP_FORMAT, type Manifest, writeManifest } from './manifest.ts'
import { type StoredFile, writeSealed } from './sealed-file.ts'

export interface BackupOptions {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly clickhouseCluster?: ClickhouseCluster | undefined
  /** Folder of the backups, which is created if it does not exist. */
  readonly into: string
  /** Absent: not encrypted. */
  readonly key?: string | undefined
  readonly secrets: BackupSecrets
  readonly version: string
  readonly clock: Clock
  /** Tables of PostgreSQL that a backup does not contain. */
  readonly leaveOut: readonly string[]
  /** Tables of ClickHouse that are copied first, in this order. */
  readonly readingsFirst: readonly string[]
  /** Called when it is certain that no other backup runs, before anything is written. */
  readonly onStart?: (() => Promise<void>) | undefined
}

export interface Backup {
  readonly folder: string
  readonly manifest: Manifest
}

/**
 * Makes a backup while servers run, and checks it. PostgreSQL is copied first, from one snapshot; then the readings, each
 * as far as it is stored when its copy begins. So everything that was acknowledged before the start is contained, and
 * every reading that the database refers to (ADR 85). The folder gets its name when all of it is on disk and checked.
 * Throws BackupRefused if another backup runs.
 */
export const makeBackup = (options: BackupOptions): Promise<Backup> =>
  withBackupLock(options.databaseUrl, async () => {
    await options.onStart?.()
    return writeBackup(options)
  })

async function createFolder(into: string): Promise<void> {
  try {
    await makeFolder(into)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new BackupError(`cannot create the folder ${into} (${reason})`, { cause: error })
  }
}

async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { into, key, clock } = options
  await createFolder(into)
  const startedAt = clock.now()
  const folder = join(into, toBackupName(startedAt))
  await removeDeadDrafts(into, startedAt)
  const draft = await createDraft(into, toBackupName(startedAt))
  try {
    const files: StoredFile[] = []
    const store = async (name: string, source: AsyncIterable<Uint8Array>): Promise<StoredFile> => {
      const stored = await writeSealed(draft, name, source, key)
      files.push(stored)
      return stored
    }
    let created = startedAt
    const postgres = await dumpDatabase(options.databaseUrl, store, {
      leaveOut: options.leaveOut,
      beforeSnapshot: () => {
        created = clock.now()
      },
    })
    const clickhouse = await dumpReadings(
      options.clickhouseUrl,
      store,
      options.readingsFirst,
      options.clickhouseCluster,
    )
    async function* secrets() {
      yield Buffer.from(JSON.stringify(options.secrets))
    }
    await store(SECRETS_FILE, secrets())
    await writeManifest(
      draft,
      {
        product: 'isotherm',
        format: BACKUP_FORMAT,
        version: options.version,
        created: new Date(created).toISOString(),
        isEncrypted: key !== undefined,
        secrets: SECRETS_FILE,
        postgres,
        clickhouse,
        files,
      },
      key,
    )
    const manifest = await checkBackup(draft, key)
    await finishDraft(draft, folder)
    return { folder, manifest }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
