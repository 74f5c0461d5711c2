import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Engine, EngineError, type EngineLog } from './engine.ts'
import { choosePostgresUser, findPostgresBinaries, type PostgresUser } from './postgres-binaries.ts'
import {
  commandLine,
  endWithParent,
  exitOf,
  findFreePort,
  isAlive,
  signal,
  waitForExit,
} from './process-life.ts'

export interface PostgresOptions {
  /** Folder of the cluster; created if missing, and reused by later starts. */
  readonly dataDir: string
  /** 0 selects a free port. */
  readonly port: number
  /** Password of the superuser `isotherm`; fixed when the folder is created. */
  readonly password: string
  readonly log?: EngineLog
  /** False: faster, but without protection against power failure; for tests. */
  readonly durable?: boolean
  /** Folder with the programs of another installation, version 15 or newer; default: those of the npm package. */
  readonly binDir?: string
}

const user = 'isotherm'
const startTimeoutMs = 60_000
const ready = 'database system is ready to accept connections'
// Errors of a start while the children of a killed postmaster are still ending.
const busy = /pre-existing shared memory block|lock file "postmaster.pid" already exists/

/**
 * Starts a PostgreSQL server on 127.0.0.1 with a database `isotherm` (UTF-8, code point order, UTC). A server left over from a
 * killed run is ended first. Throws EngineError with a one-line message.
 */
export async function startPostgres(options: PostgresOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  const binaries = await findPostgresBinaries(options.binDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const runAs = await choosePostgresUser([binaries.postgres, dataDir])
  const cluster = join(dataDir, 'cluster')
  await endLeftOver(cluster)
  await createCluster(binaries.initdb, cluster, runAs, options)

  const port = options.port === 0 ? await findFreePort() : options.port
  const child = await startServer(binaries.postgres, cluster, port, runAs, options)
  const pid = child.pid ?? 0
  const exited = exitOf(child)
  const dismissGuard = endWithParent(pid, 'INT')
  void exited.then(dismissGuard)

  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    signal(pid, 'SIGINT')
    if (!(await waitForExit(pid, 6_000))) signal(pid, 'SIGQUIT')
    if (!(await waitForExit(pid, 2_000))) signal(pid, 'SIGKILL')
    await exited
  }
  const base = `postgres://${user}:${encodeURIComponent(options.password)}@127.0.0.1:${port}`
  try {
    await createDatabase(`${base}/postgres`)
  } catch (cause) {
    await stop()
    throw new EngineError(`embedded PostgreSQL refuses us: ${describe(cause)}`, { cause })
  }
  return { url: `${base}/isotherm`, port, pid, exited, stop }
}

/** Ends a server that a killed run left on a data folder. */
export const endPostgresOf = (dataDir: string): Promise<void> =>
  endLeftOver(join(resolve(dataDir), 'cluster'))

/** Ends a server that a killed run left on this folder, so that two servers never share it. */
async function endLeftOver(cluster: string): Promise<void> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return
  // The process id can meanwhile belong to another process.
  if (!(await commandLine(pid)).includes(cluster)) return
  signal(pid, 'SIGINT')
  if (await waitForExit(pid, 8_000)) return
  signal(pid, 'SIGKILL')
  if (!(await waitForExit(pid, 5_000)))
    throw new EngineError(`PostgreSQL process ${pid} on ${cluster} does not end`)
}

async function createCluster(
  initdb: string,
  cluster: string,
  runAs: PostgresUser,
  options: PostgresOptions,
): Promise<void> {
  const made = await readFile(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (made) return
  // Created under a temporary name, so that an interrupted start leaves no incomplete cluster.
  const fresh = `${cluster}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  const passwordFile = join(fresh, '..', 'password.new')
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (runAs.owner) {
    const { uid, gid } = runAs.owner
    await Promise.all([resolve(cluster, '..'), fresh, passwordFile].map((path) => chown(path, uid, gid)))
  }
  const sync = options.durable === false ? ['--no-sync'] : []
  const args = [
    `--pgdata=${fresh}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // Versions before 17 only have the collations of the system.
    ...(options.binDir === undefined ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
    ...sync,
  ]
  const child = launch(initdb, args, runAs)
  const lines = followLog(child, options.log)
  const code = await exitOf(child)
  await rm(passwordFile, { force: true })
  if (code !== 0) throw new EngineError(`initdb failed in ${cluster}: ${lines.slice(-4).join(' | ')}`)
  await rename(fresh, cluster)
}

async function startServer(
  postgres: string,
  cluster: string,
  port: number,
  runAs: PostgresUser,
  options: PostgresOptions,
): Promise<ChildProcess> {
  const deadline = performance.now() + startTimeoutMs
  for (;;) {
    const child = launch(postgres, ['-D', cluster, ...settings(port, options.durable !== false)], runAs)
    const lines = followLog(child, options.log)
    if (await sawReady(child, deadline)) return child
    child.kill('SIGKILL')
    const last = lines.slice(-4).join(' | ')
    if (busy.test(last) && performance.now() < deadline) {
      await delay(200)
      continue
    }
    throw new EngineError(`PostgreSQL does not start on port ${port} in ${cluster}: ${last}`)
  }
}

/**
 * Size of PostgreSQL's page cache, MB: enough for the registry of a large company with its indexes, at most a sixteenth of
 * the machine's memory. Unused pages take no memory.
 */
const toBufferMb = (totalBytes: number): number =>
  Math.min(1_024, Math.max(128, Math.floor(totalBytes / 2 ** 24)))

function settings(port: number, durable: boolean): string[] {
  const values = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${toBufferMb(totalmem())}MB`,
    maintenance_work_mem: '64MB',
    max_wal_size: '2GB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function launch(program: string, args: readonly string[], runAs: PostgresUser): ChildProcess {
  const [file = program, ...rest] = [...runAs.prefix, program, ...args]
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))
  // A separate process group: Ctrl-C in the terminal must not end the engine before its users.
  return spawn(file, rest, {
    ...runAs.ids,
    cwd: '/',
    env: { ...Object.fromEntries(environment), LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** Passes every line to the log and stores the last ones for an error message. */
function followLog(child: ChildProcess, log: EngineLog | undefined): string[] {
  const lines: string[] = []
  const take = (line: string) => {
    lines.push(line)
    if (lines.length > 20) lines.shift()
    log?.(line)
  }
  child.on('error', (error) => take(error.message))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', take)
  }
  return lines
}

function sawReady(child: ChildProcess, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()))
    const end = (result: boolean) => {
      clearTimeout(timer)
      resolve(result)
    }
    child.once('close', () => end(false))
    child.once('error', () => end(false))
    if (!child.stderr) return end(false)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes(ready)) end(true)
    })
  })
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', ['isotherm'])
    if (found.rowCount === 0) await client.query('CREATE DATABASE isotherm')
  } finally {
    await client.end()
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
