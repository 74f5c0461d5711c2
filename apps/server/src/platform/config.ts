import { type MapTiles, mapCoordinates } from '@isotherm/contract/map'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const urlOf = (...protocols: readonly string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `is not a ${protocols.join('/')} URL` })

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Days for which something is kept; 0 for ever. */
const keptDays = z.coerce.number().int().min(0).max(36_500)
const MONTH_DAY = '(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'

/** What a Content-Security-Policy takes as one host: nothing in it can end the directive. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/
const NOT_ORIGINS = 'is not a list of origins such as https://portal.example.com'

const areOrigins = (texts: readonly string[]): boolean =>
  texts.every((text) => ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text)

/** Origin of an address of map tiles, undefined for what is none or does not say which tile. */
function findTileOrigin(text: string): string | undefined {
  if (!['{z}', '{x}', '{y}'].every((place) => text.includes(place))) return undefined
  const { origin } = URL.parse(text) ?? { origin: '' }
  return areOrigins([origin]) ? origin : undefined
}

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
  /** Gateway that sends verification codes: it takes POST with {tel, code}. */
  ISOTHERM_VERIFICATION_URL: urlOf('http', 'https').optional(),
  /** 1 lets alarms be told to this machine itself, which they otherwise are not. */
  ISOTHERM_ALARM_LOCAL_TARGETS: z.enum(['0', '1'], 'is not 0 or 1').default('0'),
  /** Name of the company in the console's title. */
  ISOTHERM_COMPANY_TITLE: z
    .string()
    .trim()
    .min(1, 'is blank')
    .max(60, 'has more than 60 characters')
    .optional(),
  /** Path of the company's logo, see modules/console/company-logo.ts. */
  ISOTHERM_COMPANY_LOGO: z.string().min(1).optional(),
  /** Logo in the sidebar: 0 none, 1 the company's, 2 the common one (specification, section 9). */
  ISOTHERM_SIDEBAR_LOGO: z.enum(['0', '1', '2'], 'is not 0, 1 or 2').default('1'),
  /** Origins whose pages may frame the console, comma-joined. */
  ISOTHERM_FRAME_ORIGINS: z.string().default('').transform(splitAtCommas).refine(areOrigins, NOT_ORIGINS),
  /** Origins from which the console may show pictures that modules name as their icons, comma-joined. */
  ISOTHERM_ICON_ORIGINS: z.string().default('').transform(splitAtCommas).refine(areOrigins, NOT_ORIGINS),
  /** Pictures of the ground below the map's network: their address with {z}, {x} and {y}. */
  ISOTHERM_MAP_TILES: z
    .string()
    .refine((text) => findTileOrigin(text) !== undefined, 'is no http(s) address with {z}, {x} and {y}')
    .optional(),
  /** System they are drawn in; Chinese providers draw in GCJ-02. */
  ISOTHERM_MAP_TILES_COORDINATES: mapCoordinates.default('wgs84'),
  /** Whom the map says they are from. */
  ISOTHERM_MAP_TILES_ATTRIBUTION: z.string().trim().max(200, 'has more than 200 characters').default(''),
  ISOTHERM_MAP_TILES_MAX_ZOOM: z.coerce.number().int().min(1).max(24).default(18),
  /** IANA zone of the plant: its days, months and heating seasons. A change makes the rollups anew. */
  ISOTHERM_TIME_ZONE: z.string().refine(isTimeZone, 'is no time zone').default('Asia/Shanghai'),
  /** First and last day of the heating season. */
  ISOTHERM_HEATING_SEASON: z
    .string()
    .regex(new RegExp(`^${MONTH_DAY}/${MONTH_DAY}$`), 'is not a pair of days such as 11-15/03-15')
    .default('11-15/03-15'),
  ISOTHERM_KEEP_READINGS_DAYS: keptDays.default(1_100),
  ISOTHERM_KEEP_HOURLY_DAYS: keptDays.default(0),
  ISOTHERM_KEEP_DAILY_DAYS: keptDays.default(0),
  ISOTHERM_KEEP_RAW_DAYS: keptDays.default(90),
  ISOTHERM_KEEP_ALARMS_DAYS: keptDays.default(1_100),
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
    /** Origins whose pages may frame the console; with none, no page may. */
    readonly frameOrigins: readonly string[]
    /** Origins of the modules' external icons; with none, pages show their own. */
    readonly iconOrigins: readonly string[]
    /** Origin of the pictures below the map. */
    readonly tileOrigins: readonly string[]
  }
  /** Pictures of the ground below the map's network; absent, it lies on a plain one. */
  readonly mapTiles?: MapTiles | undefined
  readonly console: {
    readonly companyTitle?: string | undefined
    readonly companyLogoFile?: string | undefined
    readonly sidebarLogo: 0 | 1 | 2
  }
  /** Where verification codes are sent through; absent, telephone numbers are not verified. */
  readonly verificationUrl?: string | undefined
  /** Whether alarms may be told to this machine itself. */
  readonly mayTellLocally: boolean
  readonly registryFile?: string | undefined
  readonly history: {
    /** IANA name. */
    readonly timeZone: string
    /** First and last day: `11-15/03-15`. */
    readonly heatingSeason: string
    /** Days for which readings, hours, days and raw frames are kept; 0 for ever. */
    readonly keptDays: Readonly<Record<'readings' | 'hours' | 'days' | 'raw', number>>
  }
  /** Days for which alarms that ended, and findings that are over, are kept; 0 for ever. */
  readonly keptAlarmDays: number
  readonly logLevel: z.infer<typeof environment>['ISOTHERM_LOG_LEVEL']
}

/** A setting that cannot be used; its message is one line for the person who set it. */
export class ConfigError extends Error {}

const toMapTiles = (url: string, read: z.infer<typeof environment>): MapTiles => ({
  url,
  coordinates: read.ISOTHERM_MAP_TILES_COORDINATES,
  attribution: read.ISOTHERM_MAP_TILES_ATTRIBUTION,
  maxZoom: read.ISOTHERM_MAP_TILES_MAX_ZOOM,
})

const sidebarLogos = { '0': 0, '1': 1, '2': 2 } as const

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
  if (read.ISOTHERM_COMPANY_LOGO !== undefined && read.ISOTHERM_COMPANY_TITLE === undefined) {
    throw new ConfigError('ISOTHERM_COMPANY_LOGO needs ISOTHERM_COMPANY_TITLE beside it')
  }
  const mapTiles =
    read.ISOTHERM_MAP_TILES === undefined ? undefined : toMapTiles(read.ISOTHERM_MAP_TILES, read)
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
      trustedProxies: splitAtCommas(read.ISOTHERM_TRUSTED_PROXIES ?? ''),
      frameOrigins: read.ISOTHERM_FRAME_ORIGINS,
      iconOrigins: read.ISOTHERM_ICON_ORIGINS,
      tileOrigins: mapTiles === undefined ? [] : [findTileOrigin(mapTiles.url) ?? ''],
    },
    mapTiles,
    console: {
      companyTitle: read.ISOTHERM_COMPANY_TITLE,
      companyLogoFile: read.ISOTHERM_COMPANY_LOGO,
      sidebarLogo: sidebarLogos[read.ISOTHERM_SIDEBAR_LOGO],
    },
    verificationUrl: read.ISOTHERM_VERIFICATION_URL,
    mayTellLocally: read.ISOTHERM_ALARM_LOCAL_TARGETS === '1',
    registryFile: read.ISOTHERM_REGISTRY_FILE,
    history: {
      timeZone: read.ISOTHERM_TIME_ZONE,
      heatingSeason: read.ISOTHERM_HEATING_SEASON,
      keptDays: {
        readings: read.ISOTHERM_KEEP_READINGS_DAYS,
        hours: read.ISOTHERM_KEEP_HOURLY_DAYS,
        days: read.ISOTHERM_KEEP_DAILY_DAYS,
        raw: read.ISOTHERM_KEEP_RAW_DAYS,
      },
    },
    keptAlarmDays: read.ISOTHERM_KEEP_ALARMS_DAYS,
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
