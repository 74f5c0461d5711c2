import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { endWithParent, findFreePort, waitForExit } from '@isotherm/engines/process-life'
import { listTree } from '../server/process-tree.ts'

const programs = {
  server: '/usr/lib/rabbitmq/bin/rabbitmq-server',
  control: '/usr/lib/rabbitmq/bin/rabbitmqctl',
  mapper: '/usr/bin/epmd',
  proxy: '/usr/sbin/haproxy',
} as const

/** Whether RabbitMQ and HAProxy of Debian are installed on this machine. */
export const hasRabbitCluster = Object.values(programs).every((path) => existsSync(path))

const NODES = 3
const START_MS = 300_000

interface Node {
  readonly name: string
  readonly port: number
  readonly distributionPort: number
}

/** Three RabbitMQ nodes that store each message on two of them before they acknowledge it. */
export interface RabbitCluster {
  /** Address of the proxy that leads to a node that runs, without a user. */
  readonly address: string
  /** Kills the node that the first connection was led to, like a machine that loses its power. */
  killFirst(): Promise<void>
  close(): Promise<void>
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isUp: boolean) => {
      socket.destroy()
      resolve(isUp)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + START_MS
  while (!(await isTrue())) {
    if (performance.now() > until) throw new Error(`${what} takes more than ${START_MS / 1_000} s`)
    await wait(500)
  }
}

/** Leads connections to the nodes that accept some, and cuts those to one that no longer does. */
const toProxySettings = (nodes: readonly Node[], port: number): string =>
  `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen mqtt
  bind 127.0.0.1:${port}
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: to }) => `  server ${name.split('@')[0]} 127.0.0.1:${to}`).join('\n')}
`

const toNodeSettings = (
  node: Node,
  nodes: readonly Node[],
  settings: readonly string[],
  definitions: string,
): string =>
  [
    ...settings,
    'listeners.tcp = none',
    `mqtt.listeners.tcp.1 = 127.0.0.1:${node.port}`,
    ...nodes.map(({ name }, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}`),
    `load_definitions = ${definitions}`,
    '',
  ].join('\n')

async function planNode(): Promise<Node> {
  const [port, distributionPort] = [await findFreePort(), await findFreePort()]
  return { name: `isotherm${port}@localhost`, port, distributionPort }
}

/** `settings`: lines of rabbitmq.conf that are not about the machines. `definitions`: users and permissions as JSON. */
export async function startRabbitCluster(
  settings: readonly string[],
  definitions: string,
): Promise<RabbitCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-rabbitmq-'))
  const file = (name: string): string => join(folder, name)
  const nodes: Node[] = []
  for (let each = 0; each < NODES; each += 1) nodes.push(await planNode())
  const [mapperPort, proxyPort] = [await findFreePort(), await findFreePort()]
  const env = {
    PATH: process.env.PATH,
    // The nodes share the cookie in it, by which they know each other.
    HOME: folder,
    ERL_EPMD_PORT: String(mapperPort),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
    RABBITMQ_MNESIA_BASE: file('mnesia'),
    RABBITMQ_LOG_BASE: file('log'),
  }
  const children = new Map<string, ChildProcess>()
  const launch = (name: string, command: string, args: readonly string[], more: object = {}): void => {
    const child = spawn(command, args, { stdio: 'ignore', cwd: folder, env: { ...env, ...more } })
    if (child.pid !== undefined) child.once('exit', endWithParent(child.pid, 'TERM'))
    children.set(name, child)
  }

  async function killTree({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    for (const each of listTree(pid)) process.kill(each, 'SIGKILL')
    await waitForExit(pid, 20_000)
  }

  async function close(): Promise<void> {
    for (const child of children.values()) await killTree(child)
    await rm(folder, { recursive: true, force: true })
  }

  const isWhole = (): Promise<boolean> =>
    new Promise((resolve) => {
      const args = ['--node', nodes[0]?.name ?? '', '--silent', 'eval', 'length(rabbit_nodes:all_running()).']
      const control = spawn(programs.control, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
      let answer = ''
      control.stdout.on('data', (chunk: Buffer) => {
        answer += chunk.toString()
      })
      control.once('close', () => resolve(answer.trim() === String(NODES)))
    })

  try {
    await writeFile(file('.erlang.cookie'), 'ISOTHERMBENCH', { mode: 0o400 })
    await writeFile(file('enabled_plugins'), '[rabbitmq_mqtt].\n')
    await writeFile(file('definitions.json'), definitions)
    launch('mapper', programs.mapper, ['-port', String(mapperPort), '-address', '127.0.0.1'])
    for (const node of nodes) {
      const conf = file(`${node.port}.conf`)
      await writeFile(conf, toNodeSettings(node, nodes, settings, file('definitions.json')))
      launch(node.name, programs.server, [], {
        RABBITMQ_NODENAME: node.name,
        RABBITMQ_DIST_PORT: String(node.distributionPort),
        RABBITMQ_CONFIG_FILE: conf,
      })
      // One after the other: the first one makes the cluster, the others join it.
      await waitUntil(node.name, () => isOpen(node.port))
    }
    await waitUntil('the cluster', isWhole)
    await writeFile(file('haproxy.cfg'), toProxySettings(nodes, proxyPort))
    launch('proxy', programs.proxy, ['-db', '-f', file('haproxy.cfg')])
    // A connection before this one would be led to the first node, and the next one to the second.
    await wait(3_000)
    return {
      address: `127.0.0.1:${proxyPort}`,
      async killFirst() {
        const child = children.get(nodes[0]?.name ?? '')
        if (child) await killTree(child)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
