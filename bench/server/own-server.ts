import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import { startPostgres } from '@isotherm/engines/postgres'
import { endProcess, startProcess, waitForLine } from './processes.ts'

/** Secret from which device passwords are derived. */
export const SECRET = 'a secret of the benchmark only'
/** Password of the accounts of demo mode and of seeded companies. */
export const PASSWORD = 'isotherm-demo'

/** URLs of the stores of a bench. */
export interface Urls {
  readonly database: string
  readonly clickhouse: string
}

/** How to reuse data between runs. */
interface EngineOptions {
  /** URL of an existing database. */
  readonly databaseUrl?: string | undefined
  /** Folder for the engines' data. It is created if missing and not removed. */
  readonly folder?: string | undefined
}

/** Process ids of the engines' main processes. */
export interface EnginePids {
  /** Missing if the database is somebody else's. */
  readonly postgres?: number
  readonly clickhouse: number
}

/** Starts separate engines for `work`. Removes their data afterwards, unless a folder is given. */
export async function onEngines<Result>(
  work: (urls: Urls, folder: string, pids: EnginePids) => Promise<Result>,
  { databaseUrl, folder: reusedFolder }: EngineOptions = {},
): Promise<Result> {
  if (reusedFolder !== undefined) await mkdir(reusedFolder, { recursive: true })
  const folder = reusedFolder ?? (await mkdtemp(join(tmpdir(), 'isotherm-bench-')))
  const start = { port: 0, password: 'bench' }
  const database = databaseUrl
    ? { url: databaseUrl, stop: async () => undefined }
    : await startPostgres({ ...start, dataDir: join(folder, 'postgres') })
  const clickhouse = await startClickhouse({ ...start, dataDir: join(folder, 'clickhouse') })
  try {
    const pids: EnginePids = {
      ...('pid' in database && { postgres: database.pid }),
      clickhouse: clickhouse.pid,
    }
    return await work({ database: database.url, clickhouse: clickhouse.url }, folder, pids)
  } finally {
    await Promise.all([database.stop(), clickhouse.stop()])
    if (reusedFolder === undefined) await rm(folder, { recursive: true, force: true })
  }
}

const toFile = (name: string): URL => new URL(`../../apps/server/src/${name}`, import.meta.url)

/** Starts the server in demo mode on free ports. It prints `ISOTHERM_READY` and the ports. */
export const startServer = (
  { database, clickhouse }: Urls,
  settings: Readonly<Record<string, string>> = {},
): ChildProcess =>
  startProcess(toFile('main.ts'), [], {
    ...process.env,
    DATABASE_URL: database,
    CLICKHOUSE_URL: clickhouse,
    ISOTHERM_MQTT_SECRET: SECRET,
    ISOTHERM_MQTT_PORT: '0',
    ISOTHERM_PORT: '0',
    ISOTHERM_MODE: 'demo',
    ISOTHERM_LOG_LEVEL: 'error',
    ...settings,
  })

/** Creates a company like `npm run seed`. */
export async function seedCompany({ database }: Urls, households: number, tenant: string): Promise<void> {
  const words = ['--households', String(households), '--tenant', tenant]
  const child = startProcess(toFile('seed.ts'), words, { ...process.env, DATABASE_URL: database })
  await waitForLine(child, 'Accounts in demo mode')
  await endProcess(child)
}
