import { access, constants, mkdir, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import { type Options, StartRefused } from './options.ts'

const answerMs = 5_000
/** PostgreSQL of a product that root started runs as another user, who must pass through the folder. */
const DATA_MODE = process.getuid?.() === 0 ? 0o711 : 0o700
const defaultPorts: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'http:': 80,
  'https:': 443,
  'mqtt:': 1883,
  'mqtts:': 8883,
}

/** Creates the data folder, which other users of the machine cannot list or read. Throws StartRefused if it cannot be created or written. */
export async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, DATA_MODE)
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartRefused(`ISOTHERM_DATA: cannot write in ${dataDir} (${codeOf(error)})`, { cause: error })
  }
}

// Not mkdir's recursion: it never ends below /proc, where a new folder is refused as if its parent were missing.
async function makeFolder(folder: string, mode: number): Promise<void> {
  const exists = await stat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  if (exists) return
  await makeFolder(dirname(folder), 0o777)
  await mkdir(folder, { mode })
}

/** Throws StartRefused when a port is taken or a given server does not answer. */
export async function checkDependencies(options: Options): Promise<void> {
  await checkPort('ISOTHERM_PORT', options.host, options.port)
  if (!options.mqttUrl) await checkBrokerPorts(options)
  await checkAnswer('DATABASE_URL', options.databaseUrl)
  await checkAnswer('CLICKHOUSE_URL', options.clickhouseUrl)
  await checkAnswer('MQTT_URL', options.mqttUrl)
}

async function checkBrokerPorts({ mqttHost, mqttPort, isMqttPlain, mqttTlsPort }: Options): Promise<void> {
  if (isMqttPlain) await checkPort('ISOTHERM_MQTT_PORT', mqttHost, mqttPort)
  if (mqttTlsPort !== undefined) await checkPort('ISOTHERM_MQTT_TLS_PORT', mqttHost, mqttTlsPort)
}

function checkPort(name: string, host: string, port: number): Promise<void> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', (error) => {
      const code = codeOf(error)
      const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`
      const line = `${name}: port ${port} of ${host} ${why}; choose another, or 0 for any free one`
      reject(new StartRefused(line, { cause: error }))
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

function checkAnswer(name: string, url: string | undefined): Promise<void> {
  if (url === undefined) return Promise.resolve()
  const { hostname, port, protocol } = new URL(url)
  const at = Number(port) || (defaultPorts[protocol] ?? 0)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: at, timeout: answerMs })
  return new Promise((resolve, reject) => {
    const refuse = (why: string) => {
      socket.destroy()
      reject(new StartRefused(`${name}: nobody answers at ${hostname}:${at} (${why})`))
    }
    socket.once('error', (error) => refuse(codeOf(error)))
    socket.once('timeout', () => refuse(`no answer in ${answerMs / 1000} s`))
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
