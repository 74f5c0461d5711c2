import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { choosePostgresUser } from '@isotherm/engines/postgres-binaries'
import { endWithParent, findFreePort, waitForExit } from '@isotherm/engines/process-life'
import pg from 'pg'
import { listTree } from '../server/process-tree.ts'

const PASSWORD = 'bench'
const START_MS = 60_000
/** Patroni counts a node as lost so long after its last sign of life, s; the least that it takes. */
const TTL_S = 20

const [postgres] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse()
const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' } as const

/** Whether Patroni, etcd, HAProxy and PostgreSQL of Debian are installed on this machine. */
export const hasPatroni = postgres !== undefined && Object.values(programs).every((path) => existsSync(path))

interface Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
}

/** Two PostgreSQL servers of which one takes over when the other one dies. */
export interface PatroniCluster {
  /** Address of the proxy that leads to the primary, as owner of the database `isotherm`. */
  readonly url: string
  /** Kills the primary and its Patroni at once, like a machine that loses its power. */
  killPrimary(): Promise<void>
  close(): Promise<void>
}

/** Settings of a node. A commit waits for the other node, so that nothing acknowledged is lost with the primary. */
const toNodeSettings = (node: Node, folder: string, etcdPort: number, binDir: string) => ({
  scope: 'isotherm',
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.restPort}`, connect_address: `127.0.0.1:${node.restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: TTL_S,
      loop_wait: 2,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, timezone: 'UTC' } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.port}`,
    data_dir: join(folder, node.name),
    bin_dir: binDir,
    pgpass: join(folder, `${node.name}.pgpass`),
    authentication: {
      superuser: { username: 'isotherm', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    parameters: { unix_socket_directories: folder },
  },
})

/** Leads connections to the node that Patroni calls the primary, and cuts those to a node that no longer is. */
const toProxySettings = (nodes: readonly Node[], port: number): string =>
  `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: to, restPort }) => `  server ${name} 127.0.0.1:${to} check port ${restPort}`).join('\n')}
`

async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + START_MS
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > until) throw new Error(`${what} takes more than ${START_MS / 1_000} s`)
    await wait(200)
  }
}

const answers = async ({ restPort }: Node, path: string): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${restPort}${path}`)).status === 200

async function query(url: string, statement: string): Promise<readonly unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Until its first checks the proxy leads to both nodes in turn. */
async function leadsToPrimary(url: string): Promise<boolean> {
  for (let each = 0; each < 4; each += 1) {
    const [[isStandby] = []] = await query(url, 'select pg_is_in_recovery()')
    if (isStandby !== false) return false
  }
  return true
}

async function planNode(): Promise<Node> {
  const [port, restPort] = [await findFreePort(), await findFreePort()]
  return { name: `node${port}`, port, restPort }
}

/** Starts a cluster of two nodes with one etcd and one HAProxy, all of Debian. */
export async function startPatroni(): Promise<PatroniCluster> {
  if (postgres === undefined) throw new Error('this machine has no PostgreSQL of Debian')
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-patroni-'))
  const { ids } = await choosePostgresUser([postgres, folder])
  await chmod(folder, 0o755)
  if (ids.uid !== undefined && ids.gid !== undefined) await chown(folder, ids.uid, ids.gid)
  const children = new Map<string, ChildProcess>()
  const launch = (name: string, command: string, args: readonly string[]): void => {
    const env = { ...process.env, HOME: folder }
    const child = spawn(command, args, { ...ids, cwd: folder, env, stdio: 'ignore' })
    if (child.pid !== undefined) child.once('exit', endWithParent(child.pid, 'TERM'))
    children.set(name, child)
  }
  const nodes = [await planNode(), await planNode()]
  const [etcdPort, peerPort, proxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()]

  async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill(signal)
    await waitForExit(child.pid, 20_000)
  }

  async function close(): Promise<void> {
    for (const { name } of nodes) {
      const child = children.get(name)
      if (child) await stop(child, 'SIGTERM')
    }
    for (const child of children.values()) await stop(child, 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`]
    launch('etcd', programs.etcd, [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ])
    await waitUntil('etcd', async () => (await fetch(`${client}/health`)).ok)
    for (const [index, node] of nodes.entries()) {
      await mkdir(join(folder, node.name), { mode: 0o700 })
      if (ids.uid !== undefined && ids.gid !== undefined)
        await chown(join(folder, node.name), ids.uid, ids.gid)
      const file = join(folder, `${node.name}.json`)
      // Every JSON document is YAML.
      await writeFile(file, JSON.stringify(toNodeSettings(node, folder, etcdPort, dirname(postgres))))
      launch(node.name, programs.patroni, [file])
      await waitUntil(node.name, () => answers(node, index === 0 ? '/primary' : '/sync'))
    }
    const proxyFile = join(folder, 'haproxy.cfg')
    await writeFile(proxyFile, toProxySettings(nodes, proxyPort))
    launch('haproxy', programs.haproxy, ['-db', '-f', proxyFile])
    const url = `postgres://isotherm:${PASSWORD}@127.0.0.1:${proxyPort}`
    await waitUntil('HAProxy', () => leadsToPrimary(`${url}/postgres`))
    await query(`${url}/postgres`, 'create database isotherm')
    return {
      url: `${url}/isotherm`,
      async killPrimary() {
        for (const node of nodes) {
          if (!(await answers(node, '/primary').catch(() => false))) continue
          const [pid] = (await readFile(join(folder, node.name, 'postmaster.pid'), 'utf8')).split('\n')
          children.get(node.name)?.kill('SIGKILL')
          for (const each of listTree(Number(pid))) process.kill(each, 'SIGKILL')
          return
        }
        throw new Error('the cluster has no primary')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
