import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const readyLine = z.object({ port: z.number() })

/** A server in a process of its own, which a test may kill. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly base: string
}

/** Starts a server in demo mode on the stores; resolves when it is ready. */
export async function startProcess(databaseUrl: string, clickhouseUrl: string): Promise<ServerProcess> {
  const child = fork(new URL('./main.ts', import.meta.url), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      ISOTHERM_MODE: 'demo',
      ISOTHERM_MQTT_SECRET: 'a secret of the tests only',
      ISOTHERM_PORT: '0',
      ISOTHERM_MQTT_PORT: '0',
      ISOTHERM_LOG_LEVEL: 'error',
    },
  })
  for await (const line of createInterface(child.stdout ?? process.stdin)) {
    if (!line.startsWith('ISOTHERM_READY ')) continue
    child.stdout?.resume()
    return { child, base: `http://127.0.0.1:${readyLine.parse(JSON.parse(line.slice(15))).port}` }
  }
  throw new Error('the server ended before it was ready')
}

/** Kills it as a loss of power would. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
