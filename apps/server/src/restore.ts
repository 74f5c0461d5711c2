import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { coreMigrations } from './core.ts'
import { clickhouseMigrations, laterMigrations } from './modules.ts'
import { BackupError } from './platform/backup/backup-error.ts'
import { readKey } from './platform/backup/backup-key.ts'
import { type BackupSecrets, readSecrets } from './platform/backup/backup-secrets.ts'
import { checkBackup } from './platform/backup/check-backup.ts'
import type { Manifest } from './platform/backup/manifest.ts'
import { requireKnownSchema, restoreBackup, type Schema } from './platform/backup/restore-backup.ts'
import { systemClock } from './platform/clock.ts'
import { storesConfig } from './platform/config/tools.ts'
import { processEnvironment } from './platform/config.ts'
import { createLog } from './platform/log.ts'

const USAGE = 'isotherm restore --from FOLDER [--key-file FILE] [--allow-unencrypted] [--check]'

const schema: Schema = {
  postgres: [...coreMigrations, ...laterMigrations],
  clickhouse: clickhouseMigrations,
}

/** Columns of ClickHouse with ids of devices: those of the devices and of the gateways that sent the readings. */
const ids = {
  table: 'device',
  column: 'id',
  usedIn: ['readings', 'raw_frames'].flatMap((table) => [
    { table, column: 'device' },
    { table, column: 'node' },
  ]),
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      'key-file': { type: 'string' },
      'allow-unencrypted': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
    strict: true,
  })
  if (values.from === undefined) throw new BackupError(`the folder of a backup is needed: ${USAGE}`)
  return { ...values, folder: resolve(values.from) }
}

/** Throws BackupError if the environment gives other secrets than those of the backup. */
function requireSameSecrets(secrets: BackupSecrets): void {
  const env = processEnvironment()
  const given = { ISOTHERM_MQTT_SECRET: secrets.mqtt, ISOTHERM_FACTOR_SECRET: secrets.factor }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !env[name] || env[name] === value) continue
    throw new BackupError(
      `${name} is another one than in the backup: gateways or second factors would be refused. ` +
        `Unset it, or set it to the one of the backup`,
    )
  }
}

function toLines(folder: string, { created, version, postgres, clickhouse }: Manifest): string {
  const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
  const readings = clickhouse.tables.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.rows, 0)
  return `${folder}: of ${created}, Isotherm ${version}, ${rows} rows of PostgreSQL, ${readings} rows of ClickHouse`
}

async function run(signal: AbortSignal): Promise<void> {
  const { folder, check, 'key-file': file, 'allow-unencrypted': allowUnencrypted } = readArguments()
  const env = processEnvironment()
  const key = await readKey(file ?? (env.ISOTHERM_BACKUP_KEY_FILE || undefined))
  const manifest = await checkBackup(folder, key, { allowUnencrypted })
  requireKnownSchema(manifest, schema)
  const secrets = await readSecrets(folder, manifest.isEncrypted ? key : undefined)
  requireSameSecrets(secrets)
  if (check) {
    console.log(`Whole and readable: ${toLines(folder, manifest)}`)
    return
  }
  const startedAt = systemClock.now()
  const { databaseUrl, clickhouseUrl, clickhouseCluster } = storesConfig({
    ...env,
    ISOTHERM_MQTT_SECRET: secrets.mqtt,
  })
  const log = createLog({ logLevel: 'silent' })
  const stores = { databaseUrl, clickhouseUrl, clickhouseCluster }
  await restoreBackup(manifest, { ...stores, folder, key, schema, log, ids, signal })
  // The launcher writes them into the data folder.
  process.send?.({ secrets })
  const seconds = ((systemClock.now() - startedAt) / 1000).toFixed(1)
  console.log(`Restored in ${seconds} s: ${toLines(folder, manifest)}`)
}

/** Aborts at the first request to end; what was written is removed before the process ends. */
function listenForEnd(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort())
  return ending.signal
}

try {
  await run(listenForEnd())
} catch (error) {
  console.error(`restore: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  process.disconnect?.()
}
