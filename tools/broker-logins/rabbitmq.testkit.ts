import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '@isotherm/engines/process-life'

/** Folders of Debian's package; the first has the programs without their change of user. */
const folders = ['/usr/lib/rabbitmq/bin', ...(process.env.PATH ?? '').split(':')]
const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

const server = findProgram('rabbitmq-server')
const portMapper = findProgram('epmd')

export const hasRabbit = server !== undefined && portMapper !== undefined

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return opened
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/**
 * Starts a RabbitMQ with its MQTT plugin in a folder of its own. `settings`: lines of rabbitmq.conf without the ports; if they name a
 * certificate, it has a port with TLS too.
 */
export async function startRabbit(settings: readonly string[], definitions: string) {
  if (server === undefined || portMapper === undefined) throw new Error('this machine has no RabbitMQ')
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-rabbitmq-'))
  const [port, tlsPort, mapperPort, distributionPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  const hasTls = settings.some((line) => line.startsWith('ssl_options.certfile'))
  const file = (name: string): string => join(folder, name)
  const conf = [
    'listeners.tcp = none',
    `mqtt.listeners.tcp.1 = 127.0.0.1:${port}`,
    ...(hasTls ? [`mqtt.listeners.ssl.1 = 127.0.0.1:${tlsPort}`] : []),
    `load_definitions = ${file('definitions.json')}`,
    ...settings,
  ]
  await writeFile(file('rabbitmq.conf'), `${conf.join('\n')}\n`)
  await writeFile(file('definitions.json'), definitions)
  await writeFile(file('enabled_plugins'), '[rabbitmq_mqtt].\n')
  const mapper = spawn(portMapper, ['-port', String(mapperPort), '-address', '127.0.0.1'], {
    stdio: 'ignore',
  })
  const broker = spawn(server, {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ERL_EPMD_PORT: String(mapperPort),
      RABBITMQ_NODENAME: `isotherm${port}@localhost`,
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_CONFIG_FILE: file('rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
      RABBITMQ_MNESIA_BASE: file('mnesia'),
      RABBITMQ_LOG_BASE: file('log'),
    },
  })
  const close = async (): Promise<void> => {
    await end(broker)
    await end(mapper)
    await rm(folder, { recursive: true, force: true })
  }
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await isOpen(port)) && (!hasTls || (await isOpen(tlsPort))))
      return { url: `mqtt://127.0.0.1:${port}`, tlsUrl: `mqtts://127.0.0.1:${tlsPort}`, close }
    await pause(200)
  }
  await close()
  throw new Error('RabbitMQ did not open its MQTT port')
}
