import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startClickhouse } from '@isotherm/engines/clickhouse/clickhouse'
import type { Engine } from '@isotherm/engines/engine'
import { startPostgres } from '@isotherm/engines/postgres'
import { exitOf } from '@isotherm/engines/process-life'
import { findHolder, lockFolder } from '../locks/data-lock.ts'
import type { Options } from '../options.ts'
import { loadSecrets, type Secrets, toSecretEnvironment } from '../secrets.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** A command of the server that works on the stores. */
export interface Tool {
  readonly program: string
  readonly words: readonly string[]
  /** Stores that it uses. */
  readonly stores: readonly Store[]
  /** Set if the command brings the secrets of an installation: then it gets only the secrets of the environment. */
  readonly bringsSecrets?: true
  /** Receives what the command sends; absent: it sends nothing. */
  readonly onMessage?: (message: unknown) => void
}

type Store = 'DATABASE_URL' | 'CLICKHOUSE_URL'
export type StoreUrls = Readonly<Partial<Record<Store, string | undefined>>>

/** Runs the command with this terminal until its end, for which the signal asks. Returns its exit code. */
export async function runTool(
  tool: Pick<Tool, 'program' | 'words' | 'onMessage'>,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, [tool.program, ...tool.words], {
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', ...(tool.onMessage ? (['ipc'] as const) : [])],
  })
  child.on('message', (message) => tool.onMessage?.(message))
  // Not the `signal` option of spawn: it would reject before the child has ended.
  const end = () => void child.kill('SIGTERM')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    return (await exitOf(child)) ?? 1
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

const starters = {
  DATABASE_URL: (folder: string, { postgres }: Secrets) =>
    startPostgres({ dataDir: join(folder, 'postgres'), port: 0, password: postgres }),
  CLICKHOUSE_URL: (folder: string, { clickhouse }: Secrets) =>
    startClickhouse({ dataDir: join(folder, 'clickhouse'), port: 0, password: clickhouse }),
}

/** The stores that the environment names. */
export const toGivenStores = ({ databaseUrl, clickhouseUrl }: Options): StoreUrls => ({
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  ...(clickhouseUrl && { CLICKHOUSE_URL: clickhouseUrl }),
})

/**
 * Starts the embedded engines for the stores that have no URL, runs the command, and ends them. The caller has locked the
 * folder if there are such stores.
 */
export async function runOnStarted(
  tool: Tool,
  options: Options,
  urls: StoreUrls,
  signal?: AbortSignal,
): Promise<number> {
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
    return await runTool(tool, { ...known, ...env }, signal)
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()))
  }
}

/**
 * Runs a command of the server on the stores, with this terminal: on the given ones, on those of the running product, or on
 * engines that are started for the command. Returns its exit code.
 */
export async function runOnStores(tool: Tool, options: Options): Promise<number> {
  await refuseUnfinishedRestore(options.dataDir)
  const holder = await findHolder(options.dataDir)
  const urls: StoreUrls = { ...holder?.stores, ...toGivenStores(options) }
  if (tool.stores.every((store) => urls[store] !== undefined)) return runOnStarted(tool, options, urls)
  const lock = await lockFolder(options.dataDir)
  try {
    return await runOnStarted(tool, options, urls)
  } finally {
    await lock.release()
  }
}
