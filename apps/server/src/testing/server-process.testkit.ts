import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Compile cache of Node. Later processes that load the same files start in half the time. */
const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url))

/** The environment of child processes. */
export const childEnvironment: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled }

/** The MQTT secret of test servers. */
export const MQTT_SECRET = 'a secret of the tests only'

export const READY = 'ISOTHERM_READY '

/** Ports of a ready server. MQTT port 0: external broker. */
export const readyPorts = z.object({ port: z.number(), mqttPort: z.number().default(0) })

/** A server in its own process, which a test may kill. */
export interface ServerProcess extends z.infer<typeof readyPorts> {
  readonly child: ChildProcess
  readonly base: string
}

/**
 * Starts a server in demo mode, on free ports unless `env` sets them. Resolves when it accepts calls and messages. `execPath`: the
 * program that runs it instead of Node.
 */
export async function launchServer(
  env: NodeJS.ProcessEnv,
  program = new URL('../main.ts', import.meta.url),
  words: readonly string[] = [],
  execPath = process.execPath,
): Promise<ServerProcess> {
  const child = fork(program, words, {
    execPath,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      ...childEnvironment,
      ISOTHERM_MODE: 'demo',
      ISOTHERM_MQTT_SECRET: MQTT_SECRET,
      ISOTHERM_PORT: '0',
      ISOTHERM_MQTT_PORT: '0',
      ISOTHERM_LOG_LEVEL: 'error',
      ...env,
    },
  })
  for await (const line of createInterface(child.stdout ?? process.stdin)) {
    if (!line.startsWith(READY)) continue
    child.stdout?.resume()
    const ports = readyPorts.parse(JSON.parse(line.slice(READY.length)))
    return { child, base: `http://127.0.0.1:${ports.port}`, ...ports }
  }
  throw new Error('the server ended before it was ready')
}

/** Starts a server on the stores. */
export const startProcess = (databaseUrl: string, clickhouseUrl: string): Promise<ServerProcess> =>
  launchServer({ DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl })

export const isRunning = (child: ChildProcess): boolean =>
  child.exitCode === null && child.signalCode === null

/** Ends a process, by SIGKILL unless another signal is given. Resolves when it has ended. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (!isRunning(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
