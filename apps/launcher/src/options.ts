import { resolve } from 'node:path'
import { z } from 'zod'

/** Commands that start the product. */
export const productCommands = ['demo', 'serve', 'dev'] as const
export type ProductCommand = (typeof productCommands)[number]
/** Commands of the server that work on the stores and end. */
export const toolCommands = [
  'admin',
  'seed',
  'backup',
  'restore',
  'doctor',
  'version',
  'build-console',
] as const
export const commands = [...productCommands, ...toolCommands] as const
export type Command = (typeof commands)[number]

const port = z.coerce.number().int().min(0).max(65_535)
const portOf = (fallback: number) => z.preprocess((value) => value ?? fallback, port)
const urlOf = (...protocols: readonly string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `is not a ${protocols.join('/')} URL` })

/** The launcher's environment variables. */
export const environment = z.object({
  ISOTHERM_PORT: portOf(8080),
  ISOTHERM_MQTT_PORT: portOf(1883),
  ISOTHERM_MQTT_TLS_PORT: port.optional(),
  ISOTHERM_MQTT_PLAIN: z.enum(['0', '1'], 'is not 0 or 1').default('1'),
  ISOTHERM_HOST: z.string().default('127.0.0.1'),
  ISOTHERM_MQTT_HOST: z.string().optional(),
  ISOTHERM_DATA: z.string().default('.data').describe('Folder of the embedded engines and secrets'),
  DATABASE_URL: urlOf('postgres', 'postgresql').optional(),
  CLICKHOUSE_URL: urlOf('http', 'https').optional(),
  MQTT_URL: urlOf('mqtt', 'mqtts').optional(),
  ISOTHERM_TIME_ZONE: z.string().default('Asia/Shanghai'),
  ISOTHERM_BACKUP_FOLDER: z.string().optional(),
  ISOTHERM_BACKUP_AT: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 02:30')
    .default('02:30'),
  ISOTHERM_BACKUP_KEEP: z.coerce.number().int().min(0).default(14),
})

export interface Options {
  /** Address the console and the API listen on. */
  readonly host: string
  /** 0: a free port; also for mqttPort. */
  readonly port: number
  readonly mqttHost: string
  readonly mqttPort: number
  /** Whether the embedded broker opens mqttPort. */
  readonly isMqttPlain: boolean
  /** Port of the embedded broker with TLS; absent: none. */
  readonly mqttTlsPort?: number
  /** Absolute. */
  readonly dataDir: string
  /** External servers; absent: the embedded engine. */
  readonly databaseUrl?: string
  readonly clickhouseUrl?: string
  readonly mqttUrl?: string
  /** Daily backups; absent: none. */
  readonly backup?: DailyBackup
}

export interface DailyBackup {
  /** Absolute. */
  readonly folder: string
  /** Local time of the plant: `02:30`. */
  readonly at: string
  readonly timeZone: string
  /** Number of backups that are retained; 0: all. */
  readonly keep: number
}

/** A refused start, with a one-line reason for the user. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/** Throws StartRefused for anything but one of the commands. */
export function readCommand(words: readonly string[]): Command {
  const [word = 'demo'] = words
  const command = commands.find((candidate) => candidate === word)
  if (command) return command
  throw new StartRefused(`there is no command ${word}; there are ${commands.join(', ')}`)
}

/**
 * Reads the environment. An empty variable counts as absent. The demo has public passwords, so it always listens
 * on loopback, independent of ISOTHERM_HOST. Throws StartRefused; values are not repeated, they may be secret.
 */
export function readOptions(command: Command, env: Readonly<Record<string, string | undefined>>): Options {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) throw new StartRefused(parsed.error.issues.map(toLine).join('; '))
  const read = parsed.data
  const isPublic = command === 'serve' || command === 'doctor'
  const host = isPublic ? read.ISOTHERM_HOST : '127.0.0.1'
  return {
    host,
    port: read.ISOTHERM_PORT,
    mqttHost: isPublic ? (read.ISOTHERM_MQTT_HOST ?? host) : '127.0.0.1',
    mqttPort: read.ISOTHERM_MQTT_PORT,
    isMqttPlain: read.ISOTHERM_MQTT_PLAIN === '1',
    ...(read.ISOTHERM_MQTT_TLS_PORT === undefined ? {} : { mqttTlsPort: read.ISOTHERM_MQTT_TLS_PORT }),
    dataDir: resolve(read.ISOTHERM_DATA),
    ...(read.DATABASE_URL ? { databaseUrl: read.DATABASE_URL } : {}),
    ...(read.CLICKHOUSE_URL ? { clickhouseUrl: read.CLICKHOUSE_URL } : {}),
    ...(read.MQTT_URL ? { mqttUrl: read.MQTT_URL } : {}),
    ...(isPublic && read.ISOTHERM_BACKUP_FOLDER
      ? {
          backup: {
            folder: resolve(read.ISOTHERM_BACKUP_FOLDER),
            at: read.ISOTHERM_BACKUP_AT,
            timeZone: read.ISOTHERM_TIME_ZONE,
            keep: read.ISOTHERM_BACKUP_KEEP,
          },
        }
      : {}),
  }
}

function toLine({ path, message }: z.core.$ZodIssue): string {
  const name = String(path[0])
  return name.endsWith('PORT') ? `${name} is not a port from 0 to 65535` : `${name} ${message}`
}
