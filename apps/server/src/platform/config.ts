import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const urlOf = (...protocols: readonly string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `is not a ${protocols.join('/')} URL` })

/** The environment as the server reads it; an absent optional variable takes the default named here. */
const environment = z.object({
  DATABASE_URL: urlOf('postgres', 'postgresql'),
  CLICKHOUSE_URL: urlOf('http', 'https'),
  MQTT_URL: urlOf('mqtt', 'mqtts').optional(),
  ISOTHERM_MQTT_HOST: z.string().min(1).default('127.0.0.1'),
  ISOTHERM_MQTT_PORT: port.default(1883),
  /** Key of the devices' passwords (contract mqtt.ts). */
  ISOTHERM_MQTT_SECRET: z.string().min(16, 'needs at least 16 characters'),
  ISOTHERM_MODE: z.enum(['demo', 'production']).default('production'),
  ISOTHERM_HOST: z.string().min(1).default('127.0.0.1'),
  ISOTHERM_PORT: port.default(8080),
  ISOTHERM_CONSOLE_DIR: z.string().min(1).optional(),
  ISOTHERM_REGISTRY_FILE: z.string().min(1).optional(),
  ISOTHERM_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Bearer token that opens /metrics to others than this machine. */
  ISOTHERM_METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is believed, comma-joined. */
  ISOTHERM_TRUSTED_PROXIES: z.string().optional(),
})

export interface Config {
  readonly mode: 'demo' | 'production'
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly mqtt: {
    /** An external broker; absent, the server embeds one on host and port (0 = any free one). */
    readonly url?: string | undefined
    readonly host: string
    readonly port: number
    readonly secret: string
  }
  readonly http: {
    readonly host: string
    /** 0 = any free one. */
    readonly port: number
    readonly consoleDir?: string | undefined
    readonly metricsToken?: string | undefined
    readonly trustedProxies: readonly string[]
  }
  readonly registryFile?: string | undefined
  readonly logLevel: z.infer<typeof environment>['ISOTHERM_LOG_LEVEL']
}

/** A setting that cannot be used; its message is one line for the person who set it. */
export class ConfigError extends Error {}

const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost']

function toLine(issue: z.core.$ZodIssue, env: Readonly<Record<string, string | undefined>>): string {
  const name = String(issue.path[0])
  return env[name] === undefined ? `${name} is not set` : `${name} ${issue.message}`
}

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 * Throws ConfigError for a missing or unusable value; values are not repeated, they may be secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => toLine(issue, present)).join('; '))
  }
  const read = parsed.data
  if (read.ISOTHERM_MODE === 'demo' && !loopbackHosts.includes(read.ISOTHERM_HOST)) {
    throw new ConfigError('ISOTHERM_HOST must be 127.0.0.1 in demo mode: its passwords are public')
  }
  return {
    mode: read.ISOTHERM_MODE,
    databaseUrl: read.DATABASE_URL,
    clickhouseUrl: read.CLICKHOUSE_URL,
    mqtt: {
      url: read.MQTT_URL,
      host: read.ISOTHERM_MQTT_HOST,
      port: read.ISOTHERM_MQTT_PORT,
      secret: read.ISOTHERM_MQTT_SECRET,
    },
    http: {
      host: read.ISOTHERM_HOST,
      port: read.ISOTHERM_PORT,
      consoleDir: read.ISOTHERM_CONSOLE_DIR,
      metricsToken: read.ISOTHERM_METRICS_TOKEN,
      trustedProxies: (read.ISOTHERM_TRUSTED_PROXIES ?? '').split(',').filter((part) => part !== ''),
    },
    registryFile: read.ISOTHERM_REGISTRY_FILE,
    logLevel: read.ISOTHERM_LOG_LEVEL,
  }
}

/** Only what a tool needs that works on the database. Throws ConfigError. */
export function databaseConfig(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Config, 'databaseUrl'> {
  const parsed = environment.pick({ DATABASE_URL: true }).safeParse(env)
  if (!parsed.success) throw new ConfigError('DATABASE_URL is not set to a PostgreSQL URL')
  return { databaseUrl: parsed.data.DATABASE_URL }
}

/** The process's environment; nothing else in the server reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env
