import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import type { Engine } from '@isotherm/engines/engine'
import { startPostgres } from '@isotherm/engines/postgres'
import { exitOf } from '@isotherm/engines/process-life'
import { findHolder, lockFolder } from '../data-lock.ts'
import type { Options } from '../options.ts'
import { loadSecrets, type Secrets, toSecretEnvironment } from '../secrets.ts'

/** A command of the server that works on the stores. */
export interface Tool {
  readonly program: string
  readonly words: readonly string[]
  /** Stores that it uses. */
  readonly stores: readonly Store[]
  /** It brings the secrets of an installation, so it gets only those of the environment. */
  readonly bringsSecrets?: true
  /** Receives what the command sends; absent: it sends nothing. */
  readonly onMessage?: (message: unknown) => void
}

type Store = 'DATABASE_URL' | 'CLICKHOUSE_URL'
type StoreUrls = Readonly<Partial<Record<Store, string | undefined>>>

/** Runs the command with this terminal, until its end or the signal. Returns its exit code. */
export async function runTool(
  tool: Pick<Tool, 'program' | 'words' | 'onMessage'>,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, [tool.program, ...tool.words], {
    env: { ...process.env, ...env },
    ...(signal && { signal }),
    stdio: ['inherit', 'inherit', 'inherit', ...(tool.onMessage ? (['ipc'] as const) : [])],
  })
  child.on('message', (message) => tool.onMessage?.(message))
  return (await exitOf(child)) ?? 1
}

const starters = {
  DATABASE_URL: (folder: string, { postgres }: Secrets) =>
    startPostgres({ dataDir: join(folder, 'postgres'), port: 0, password: postgres }),
  CLICKHOUSE_URL: (folder: string, { clickhouse }: Secrets) =>
    startClickhouse({ dataDir: join(folder, 'clickhouse'), port: 0, password: clickhouse }),
}

/** Starts the embedded engines for the stores that have no URL, runs the command, and ends them. */
async function runOnStarted(tool: Tool, options: Options, urls: StoreUrls): Promise<number> {
  const secrets = await loadSecrets(options.dataDir)
  const engines: Engine[] = []
  try {
    const env: Record<string, string> = {}
    for (const store of tool.stores) {
      const given = urls[store]
      if (given !== undefined) {
        env[store] = given
        continue
      }
      const engine = await starters[store](options.dataDir, secrets)
      engines.push(engine)
      env[store] = engine.url
    }
    const known = tool.bringsSecrets ? {} : toSecretEnvironment(secrets, process.env)
    return await runTool(tool, { ...known, ...env })
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()))
  }
}

/**
 * Runs a command of the server on the stores, with this terminal: on the given ones, on those of the running product, or on
 * engines that are started for the command. Returns its exit code.
 */
export async function runOnStores(tool: Tool, options: Options): Promise<number> {
  const holder = await findHolder(options.dataDir)
  const urls: StoreUrls = {
    ...holder?.stores,
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
    ...(options.clickhouseUrl && { CLICKHOUSE_URL: options.clickhouseUrl }),
  }
  if (tool.stores.every((store) => urls[store] !== undefined)) return runOnStarted(tool, options, urls)
  const lock = await lockFolder(options.dataDir)
  try {
    return await runOnStarted(tool, options, urls)
  } finally {
    await lock.release()
  }
}
