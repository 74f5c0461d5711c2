import { readdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EXIT_TRY_LATER } from '@isotherm/kernel/machine/exit-codes'
import { BACKUP_RUNS, beginBackupRun, endBackupRun, type MadeBackup } from './modules/system/index.ts'
import { BackupError, BackupRefused } from './platform/backup/backup-error.ts'
import { readKey } from './platform/backup/backup-key.ts'
import { type Backup, makeBackup } from './platform/backup/make-backup.ts'
import { removeOldBackups } from './platform/backup/retention.ts'
import { systemClock } from './platform/clock.ts'
import { type StoresConfig, storesConfig } from './platform/config/tools.ts'
import { processEnvironment } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { createDatabase, type Database } from './platform/postgres/database.pg.ts'
import { readVersion } from './read-version.ts'

/** The lowest priority: compression and encryption take only what the server and the stores leave. */
const NICENESS = 19

const USAGE = 'isotherm backup --to FOLDER [--key-file FILE] [--keep NUMBER]'

/**
 * Tables of ClickHouse that are copied first, in this order: a mark that data is complete comes before that data.
 * So no copy has a mark without its data. Data that is newer than its mark is computed again (ADR 27).
 */
const readingsFirst = [
  'snapshot_mark',
  'watermarks',
  'newest_values',
  'rollup_marks',
  'readings_day',
  'readings_hour',
]

function readArguments(config: StoresConfig) {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      'key-file': { type: 'string' },
      keep: { type: 'string', default: '0' },
    },
    strict: true,
  })
  const into = values.to ?? config.backup.folder
  if (into === undefined) throw new BackupError(`a folder is needed: ${USAGE}`)
  if (!/^\d{1,5}$/.test(values.keep)) throw new BackupError(`--keep is not a number: ${USAGE}`)
  return {
    into: resolve(into),
    keyFile: values['key-file'] ?? config.backup.keyFile,
    keep: Number(values.keep),
  }
}

const toSize = ({ manifest }: Backup): number => manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
const sumRows = (counts: readonly { readonly rows: number }[]): number =>
  counts.reduce((total, { rows }) => total + rows, 0)
const countRecords = ({ manifest }: Backup): number => sumRows(manifest.postgres.tables)
const countReadings = ({ manifest }: Backup): number =>
  sumRows(manifest.clickhouse.tables.flatMap(({ parts }) => parts))

function toLines(backup: Backup, durationMs: number): string {
  const megabytes = (toSize(backup) / 1e6).toFixed(1)
  const secrecy = backup.manifest.isEncrypted
    ? 'Encrypted; without its key file nobody can restore it.'
    : 'Not encrypted: it contains the secrets of the installation. Let nobody else read it.'
  return `Backup ${backup.folder}
${countRecords(backup)} rows of PostgreSQL, ${countReadings(backup)} rows of ClickHouse, ${megabytes} MB, made and checked in ${(durationMs / 1000).toFixed(1)} s.
${secrecy}`
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Records the run for the system page. If the record fails, the backup still succeeds. */
function createRecorder({ databaseUrl }: StoresConfig, startedAt: number) {
  let id: number | undefined
  const useDatabase = async (work: (db: Database) => Promise<void>): Promise<void> => {
    const db = createDatabase({ databaseUrl }, createLog({ logLevel: 'silent' }))
    try {
      await work(db)
    } catch (error) {
      console.error(`backup: the run could not be recorded in the database: ${toMessage(error)}`)
    } finally {
      await db.destroy()
    }
  }
  const begin = async (db: Database): Promise<void> => {
    id = await beginBackupRun(db, startedAt)
  }
  return {
    begin: () => useDatabase(begin),
    end: (outcome: MadeBackup | { readonly fault: string }) =>
      useDatabase(async (db) => {
        // A run that fails before the backup starts is recorded too, so that administrators see it on the system
        // page.
        if (id === undefined) await begin(db)
        if (id !== undefined) await endBackupRun(db, id, systemClock.now(), outcome)
      }),
  }
}

async function run(config: StoresConfig, onStart: () => Promise<void>): Promise<Backup> {
  const { into, keyFile, keep } = readArguments(config)
  const backup = await makeBackup({
    databaseUrl: config.databaseUrl,
    clickhouseUrl: config.clickhouseUrl,
    clickhouseCluster: config.clickhouseCluster,
    into,
    key: await readKey(keyFile),
    secrets: {
      mqtt: config.mqttSecret,
      ...(config.factorSecret !== undefined && { factor: config.factorSecret }),
    },
    version: await readVersion(),
    clock: systemClock,
    leaveOut: [BACKUP_RUNS],
    readingsFirst,
    onStart,
  })
  await removeOld(into, keep)
  return backup
}

/** Removes old backups. A failure is only reported: the new backup is good. */
async function removeOld(into: string, keep: number): Promise<void> {
  try {
    const removed = await removeOldBackups(into, keep, systemClock.now())
    if (removed.length > 0) console.log(`Removed by --keep ${keep}: ${removed.join(', ')}`)
  } catch (error) {
    console.error(`backup: old backups could not be removed: ${toMessage(error)}`)
  }
}

/** Lowers the priority of all threads of this process. On Linux each has its own; elsewhere one call is for all. */
async function lowerPriority(): Promise<void> {
  const threads = process.platform === 'linux' ? await readdir('/proc/self/task') : ['0']
  for (const thread of threads) setPriority(Number(thread), NICENESS)
}

async function main(config: StoresConfig): Promise<number> {
  await lowerPriority()
  const startedAt = systemClock.now()
  const recorder = createRecorder(config, startedAt)
  try {
    const backup = await run(config, recorder.begin)
    await recorder.end({
      name: basename(backup.folder),
      bytes: toSize(backup),
      rows: countRecords(backup) + countReadings(backup),
      encrypted: backup.manifest.isEncrypted,
    })
    console.log(toLines(backup, systemClock.now() - startedAt))
    return 0
  } catch (error) {
    console.error(`backup: ${toMessage(error)}`)
    if (error instanceof BackupRefused) return EXIT_TRY_LATER
    await recorder.end({ fault: toMessage(error) })
    return 1
  }
}

try {
  process.exitCode = await main(storesConfig(processEnvironment()))
} catch (error) {
  console.error(`backup: ${toMessage(error)}`)
  process.exitCode = 1
}
