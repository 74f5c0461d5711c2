import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { historyClickhouse } from '../../apps/server/src/modules/history/index.ts'
import { telemetryClickhouse } from '../../apps/server/src/modules/telemetry/index.ts'
import { listBackups } from '../../apps/server/src/platform/backup/retention.ts'
import { migrateClickhouse } from '../../apps/server/src/platform/clickhouse/migrate.ch.ts'
import { silentLog } from '../history/queries.ts'
import { generateReadings, planReadings } from '../history/readings.ts'
import { selectNumbers } from '../history/select.ts'
import { describeField, listLoadGateways } from '../ingest/field.ts'
import { TENANT } from '../registry/company.ts'
import { openPlainSql } from '../registry/plain-sql.ts'
import { onEngines, SECRET, seedCompany, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, startProcess, waitForLine } from '../server/processes.ts'
import { type EndlessLoad, startEndlessLoad } from './endless-load.ts'

/** 480 readings of a household and day: 10,080,000. */
const HOUSEHOLDS = Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 3_000)
const DAYS = 7
const CONCENTRATORS = 20
const CHILDREN = 100
/** Boot counter of the gateways that send during the backup; generated readings have 1. */
const LOAD_BOOT = 7
/** Time without a backup, before and after it, in which the rate of readings is measured, s. */
const CALM_S = 15

const toFile = (name: string): URL => new URL(`../../apps/server/src/${name}`, import.meta.url)

export interface BackupFigures {
  readonly readings: number
  readonly backupS: number
  readonly restoreS: number
  /** Stored single readings a second: without a backup, and while one is made. */
  readonly calmPerS: number
  readonly busyPerS: number
}

/** Starts a command of the server with its own environment and waits until it has succeeded. Returns its time, s. */
async function runCommand(
  name: string,
  { database, clickhouse }: Urls,
  args: readonly string[],
): Promise<number> {
  const started = performance.now()
  const child: ChildProcess = startProcess(toFile(name), args, {
    ...process.env,
    DATABASE_URL: database,
    CLICKHOUSE_URL: clickhouse,
    ISOTHERM_MQTT_SECRET: SECRET,
  })
  let said = ''
  child.stdout?.resume()
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`)
  return (performance.now() - started) / 1_000
}

const openClickhouse = (urls: Urls): ClickHouseClient =>
  createClient({ url: urls.clickhouse, request_timeout: 600_000, log: { level: ClickHouseLogLevel.OFF } })

/** Number of the readings that were generated: the devices of the load report under `LOAD_BOOT`. */
async function countGenerated(urls: Urls): Promise<number> {
  const client = openClickhouse(urls)
  try {
    return (await selectNumbers(client, `SELECT count() FROM readings WHERE boot != ${LOAD_BOOT}`))[0] ?? 0
  } finally {
    await client.close()
  }
}

/** Makes a company with ten million readings. */
async function prepare(urls: Urls): Promise<void> {
  const client = openClickhouse(urls)
  const sql = await openPlainSql(urls.database)
  try {
    await seedCompany(urls, HOUSEHOLDS, TENANT)
    await migrateClickhouse(client, [telemetryClickhouse, historyClickhouse], silentLog)
    await planReadings(client, sql, DAYS, 100)
    await generateReadings(client, async () => undefined, console.log)
    // Tables of the generator are no part of an installation, and have types that a backup does not know.
    for (const name of ['devices', 'runs', 'made', 'plan'])
      await client.command({ query: `DROP TABLE bench_${name}` })
  } finally {
    await Promise.all([client.close(), sql.close()])
  }
}

/** Rate at which messages are acknowledged while `work` runs, messages/s. */
async function measureRate(load: EndlessLoad, work: () => Promise<unknown>): Promise<number> {
  const before = load.countAcknowledged()
  const started = performance.now()
  await work()
  return ((load.countAcknowledged() - before) * 1_000) / (performance.now() - started)
}

/**
 * Backs up ten million readings while devices send as fast as the server takes it, and restores them into empty stores.
 * Throws if a reading is missing.
 */
export async function measureBackup(urls: Urls, folder: string): Promise<BackupFigures> {
  await prepare(urls)
  const registry = join(folder, 'registry.json')
  await writeFile(registry, JSON.stringify(describeField(CONCENTRATORS, CHILDREN)))
  const keyFile = join(folder, 'backup.key')
  await writeFile(keyFile, 'a key of the benchmark only, 32 characters and more\n', { mode: 0o600 })
  const server = startServer(urls, { ISOTHERM_REGISTRY_FILE: registry })
  const { mqttPort } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
  const before = await countGenerated(urls)
  const into = join(folder, 'backups')
  const gateways = listLoadGateways(CONCENTRATORS, CHILDREN, SECRET)
  const load = await startEndlessLoad(`mqtt://127.0.0.1:${mqttPort}`, gateways, LOAD_BOOT)
  let backupS = 0
  const rates: number[] = []
  const calm = () => wait(CALM_S * 1_000)
  try {
    await measureRate(load, calm)
    rates.push(await measureRate(load, calm))
    rates.push(
      await measureRate(load, async () => {
        backupS = await runCommand('backup.ts', urls, ['--to', into, '--key-file', keyFile])
      }),
    )
    rates.push(await measureRate(load, calm))
    await load.stop()
  } finally {
    await endProcess(server)
  }
  const [ahead = 0, busyPerS = 0, behind = 0] = rates
  const [name = ''] = await listBackups(into)
  const restoreS = await onEngines(async (empty) => {
    const seconds = await runCommand('restore.ts', empty, ['--from', join(into, name), '--key-file', keyFile])
    const readings = await countGenerated(empty)
    if (readings !== before) throw new Error(`${before} readings were backed up and ${readings} are restored`)
    return seconds
  })
  return { readings: before, backupS, restoreS, calmPerS: (ahead + behind) / 2, busyPerS }
}
