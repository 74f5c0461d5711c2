import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { childEnvironment, GATEWAY, TENANT, type WholeServer } from './whole-server.testkit.ts'

const READY = 'GATEWAY_READY '
const ready = z.object({ dtuPort: z.number().optional() })
const children = z.array(z.object({ id: z.string(), ts: z.number(), m: z.record(z.string(), z.number()) }))

/** The gateway as a process of its own, which a test may kill. `config`: without the port of its listener. */
export async function launchGateway(
  server: Pick<WholeServer, 'mqttUrl' | 'password'>,
  config: object,
  settings: NodeJS.ProcessEnv = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-gateway-process-'))
  const path = join(folder, 'config.json')
  const write = (dtuPort: number): void =>
    writeFileSync(path, JSON.stringify({ v: 1, ...config, dtu: { host: '127.0.0.1', port: dtuPort } }))

  async function launch(): Promise<{ readonly child: ChildProcess; readonly dtuPort: number }> {
    const child = fork(new URL('../main.ts', import.meta.url), [], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {
        ...childEnvironment,
        MQTT_URL: server.mqttUrl(),
        ISOTHERM_GATEWAY_USER: `${TENANT}/${GATEWAY}`,
        ISOTHERM_GATEWAY_PASSWORD: server.password,
        ISOTHERM_GATEWAY_CONFIG: path,
        ISOTHERM_GATEWAY_DATA: folder,
        ISOTHERM_GATEWAY_HISTORY_DELAY_S: '0',
        ...settings,
      },
    })
    for await (const line of createInterface(child.stdout ?? process.stdin)) {
      if (!line.startsWith(READY)) continue
      child.stdout?.resume()
      return { child, dtuPort: ready.parse(JSON.parse(line.slice(READY.length))).dtuPort ?? 0 }
    }
    throw new Error('the gateway ended before it was ready')
  }

  write(0)
  let running = await launch()
  // The units connect to the same port after a restart.
  write(running.dtuPort)

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  return {
    dtuPort: running.dtuPort,
    pid: () => running.child.pid ?? 0,
    kill: () => end('SIGKILL'),
    /** Ends it cleanly; its store can be read. */
    stop: () => end('SIGTERM'),
    async restart() {
      running = await launch()
    },
    /** Readings in its store, while it is dead. */
    readStore(): z.infer<typeof children> {
      const db = new DatabaseSync(join(folder, 'gateway.sqlite'))
      const rows = db.prepare('select body from batch order by id').all()
      db.close()
      return rows.flatMap(({ body }) => children.parse(JSON.parse(`[${body}]`)))
    },
    async close() {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
