import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Engine, EngineError, type EngineLog } from '../engine.ts'
import { exitOf, signal, waitForExit } from '../process-life.ts'

export interface ClickhouseOptions {
  /** Folder of the data; created if missing, and reused by later starts. */
  readonly dataDir: string
  /** 0 selects a free port. */
  readonly port: number
  /** Of the user `isotherm`. */
  readonly password: string
  readonly log?: EngineLog
  /** File with further configuration of the engine in XML, such as clusters; for tests. */
  readonly configFile?: string
}

const user = 'isotherm'
const database = 'isotherm'
// The engine of a killed parent can still use the folder or the port for a moment.
const stillInUse = [
  { reason: /lock/i, forMs: 10_000 },
  { reason: /EADDRINUSE/, forMs: 3_000 },
]

/**
 * Starts the ClickHouse engine (chDB) in a separate process with ClickHouse's HTTP interface on 127.0.0.1 and a database
 * `isotherm`. An insert is answered once its part is complete on disk, so answered inserts survive kill -9. Like a ClickHouse
 * server by default it does not call fsync: a power failure can lose the last seconds.
 */
export async function startClickhouse(options: ClickhouseOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const startedMs = performance.now()
  for (;;) {
    const child = launch(options.log)
    const exited = exitOf(child)
    const result = await handOver(child, {
      dataDir,
      port: options.port,
      user,
      password: options.password,
      database,
      configFile: options.configFile,
    })
    if ('port' in result) return toEngine(child, exited, result.port, options.password)
    await exited
    const triedMs = performance.now() - startedMs
    if (stillInUse.some(({ reason, forMs }) => reason.test(result.failed) && triedMs < forMs)) {
      await delay(200)
      continue
    }
    throw new EngineError(`ClickHouse engine does not start in ${dataDir}: ${result.failed.split('\n')[0]}`)
  }
}

function launch(log: EngineLog | undefined): ChildProcess {
  const script = fileURLToPath(new URL('./clickhouse-child.ts', import.meta.url))
  // A separate process group: Ctrl-C in the terminal must not end the engine before its users.
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    // Statements run on the threads of libuv.
    env: { ...process.env, UV_THREADPOOL_SIZE: '24', TZ: 'UTC', NODE_OPTIONS: '' },
  })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log?.(line))
  }
  return child
}

/** Sends the options and waits for the port, an error, or the end of the process. */
function handOver(child: ChildProcess, start: object): Promise<{ port: number } | { failed: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ failed: error.message }))
    child.once('exit', (code, signalName) =>
      resolve({ failed: `its process ended with ${code ?? signalName}` }),
    )
    child.once('message', (message) => {
      if (typeof message !== 'object') return resolve({ failed: String(message) })
      if ('port' in message && typeof message.port === 'number') return resolve({ port: message.port })
      resolve({ failed: 'failed' in message ? String(message.failed) : 'no answer' })
    })
    child.send(start, (error) => {
      if (error) resolve({ failed: error.message })
    })
  })
}

function toEngine(
  child: ChildProcess,
  exited: Promise<number | null>,
  port: number,
  password: string,
): Engine {
  const pid = child.pid ?? 0
  return {
    url: `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    port,
    pid,
    exited,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      signal(pid, 'SIGTERM')
      if (!(await waitForExit(pid, 7_000))) signal(pid, 'SIGKILL')
      await exited
    },
  }
}
