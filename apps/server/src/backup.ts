import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BACKUP_RUNS, recordBackupRun } from './modules/system/index.ts'
import { BackupError } from './platform/backup/backup-error.ts'
import { readKey } from './platform/backup/backup-key.ts'
import { type Backup, makeBackup } from './platform/backup/make-backup.ts'
import { removeOldBackups } from './platform/backup/retention.ts'
import { systemClock } from './platform/clock.ts'
import { processEnvironment } from './platform/config.ts'
import { type StoresConfig, storesConfig } from './platform/config-tools.ts'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'
import { readVersion } from './read-version.ts'

const USAGE = 'npm run backup -- --to FOLDER [--key-file FILE] [--keep NUMBER]'

/**
 * The marks of the rollups are read before the rollups, and those before the readings, so that what the marks call done is
 * contained; what came later is computed again (ADR 27).
 */
const readingsFirst = ['rollup_marks', 'readings_day', 'readings_hour']

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

async function run(config: StoresConfig): Promise<Backup> {
  const { into, keyFile, keep } = readArguments(config)
  const backup = await makeBackup({
    databaseUrl: config.databaseUrl,
    clickhouseUrl: config.clickhouseUrl,
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
  })
  const removed = await removeOldBackups(into, keep)
  if (removed.length > 0) console.log(`Removed by --keep ${keep}: ${removed.join(', ')}`)
  return backup
}

function toLines({ folder, manifest }: Backup, durationMs: number): string {
  const sum = (counts: readonly { readonly rows: number }[]) =>
    counts.reduce((total, { rows }) => total + rows, 0)
  const records = sum(manifest.postgres.tables)
  const readings = sum(manifest.clickhouse.tables.flatMap(({ parts }) => parts))
  const megabytes = (toSize({ folder, manifest }) / 1e6).toFixed(1)
  const secrecy = manifest.isEncrypted
    ? 'Encrypted; without its key file nobody can restore it.'
    : 'Not encrypted: it contains the secrets of the installation. Let nobody else read it.'
  return `Backup ${folder}
${records} rows of PostgreSQL, ${readings} rows of ClickHouse, ${megabytes} MB, made and checked in ${(durationMs / 1000).toFixed(1)} s.
${secrecy}`
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Records the end where the page of the system shows it. A failure to record is no failure of the backup. */
async function record(
  { databaseUrl }: StoresConfig,
  startedAt: number,
  outcome: { readonly backup?: Backup; readonly fault?: string },
): Promise<void> {
  const db = createDatabase({ databaseUrl }, createLog({ logLevel: 'silent' }))
  const { backup, fault } = outcome
  try {
    await recordBackupRun(db, {
      startedAt,
      endedAt: systemClock.now(),
      ...(backup && { backup: { name: basename(backup.folder), bytes: toSize(backup) } }),
      ...(fault !== undefined && { fault }),
    })
  } catch (error) {
    console.error(`backup: the end could not be recorded in the database: ${toMessage(error)}`)
  } finally {
    await db.destroy()
  }
}

const startedAt = systemClock.now()
let config: StoresConfig | undefined
try {
  config = storesConfig(processEnvironment())
  const backup = await run(config)
  await record(config, startedAt, { backup })
  console.log(toLines(backup, systemClock.now() - startedAt))
} catch (error) {
  console.error(`backup: ${toMessage(error)}`)
  if (config) await record(config, startedAt, { fault: toMessage(error) })
  process.exitCode = 1
}
