import { type MapTiles, mapCoordinates } from '@isotherm/contract/network/map'
import { z } from 'zod'
import type { Cell } from './cell/cell.ts'
import { type BackupConfig, backupEnvironment, toBackupConfig } from './config/backup.ts'
import { cellEnvironment, toCell } from './config/cell.ts'
import type { ClickhouseConfig } from './config/clickhouse.ts'
import { clickhouseEnvironment, findClusterFault, toClickhouse } from './config/clickhouse.ts'
import { findMqttTlsFault, type MqttTlsConfig, mqttEnvironment, toMqttTls } from './config/mqtt.ts'
import { type NoticeConfig, noticeEnvironment, toNoticeConfig } from './config/notices.ts'
import { findOidcFault, type OidcConfig, oidcEnvironment, toOidc } from './config/oidc.ts'
import { retentionEnvironment } from './config/retention.ts'
import { titleEnvironment } from './config/title.ts'
import { areOrigins, findTileOrigin, NOT_ORIGINS, splitAtCommas, urlOf } from './config/url.ts'

const port = z.coerce.number().int().min(0).max(65_535)
function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const MONTH_DAY = '(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'

/** The server's environment variables. An absent optional variable takes its default. */
export const environment = z.object({
  DATABASE_URL: urlOf('postgres', 'postgresql').describe('URL of PostgreSQL'),
  ...clickhouseEnvironment,
  MQTT_URL: urlOf('mqtt', 'mqtts').optional().describe('URL of the MQTT broker'),
  ...cellEnvironment,
  ...mqttEnvironment,
  ISOTHERM_MQTT_SECRET: z
    .string()
    .min(16, 'needs at least 16 characters')
    .describe('Key from which the passwords of the gateways derive; created at the first start'),
  ISOTHERM_FACTOR_SECRET: z
    .string()
    .min(16, 'needs at least 16 characters')
    .optional()
    .describe('Key that encrypts second factors in the database; without it ISOTHERM_MQTT_SECRET'),
  ISOTHERM_MODE: z
    .enum(['demo', 'production'])
    .default('production')
    .describe('Set by the launcher: demo or production'),
  ISOTHERM_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that the console and the API listen on; the demo always listens on 127.0.0.1'),
  ISOTHERM_PORT: port.default(8080).describe('Port of the console and the API; 0 takes a free one'),
  ISOTHERM_CONSOLE_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Set by the launcher: folder of the built console'),
  ISOTHERM_MAP_FOLDER: z.string().min(1).optional().describe('Set by the launcher: folder of the map files'),
  ISOTHERM_REGISTRY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('Set by the launcher: file with the structure and devices of the demo'),
  ISOTHERM_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
  ISOTHERM_LOG_FORWARD: urlOf('syslog+tls')
    .refine((url) => URL.parse(url)?.hostname !== '', 'names no host')
    .optional()
    .describe('Collector that also gets the log, by syslog over TLS (RFC 5425): syslog+tls://host:6514'),
  ISOTHERM_METRICS_TOKEN: z
    .string()
    .min(16, 'needs at least 16 characters')
    .optional()
    .describe('Bearer token that opens /metrics; without it only a demo shows them, to its own machine'),
  ISOTHERM_TRUSTED_PROXIES: z
    .string()
    .optional()
    .describe(
      'Addresses or networks of reverse proxies whose X-Forwarded-For is trusted, separated by commas',
    ),
  ISOTHERM_HTTPS_ONLY: z
    .enum(['0', '1'], 'is not 0 or 1')
    .default('0')
    .describe(
      '1 refuses pages, calls and live connections that did not reach a trusted proxy by HTTPS; /healthz, /readyz and /metrics stay open',
    ),
  ISOTHERM_FIRST_BACKEND: urlOf('http', 'https')
    .optional()
    .describe("Base address of the company's own first backend; the server forwards its calls there"),
  ISOTHERM_SECOND_BACKEND: urlOf('http', 'https')
    .optional()
    .describe("Base address of the company's own second backend; with /live of its origin for live pages"),
  ISOTHERM_VERIFICATION_URL: urlOf('http', 'https')
    .optional()
    .describe('SMS service that sends verification codes: it accepts POST with {tel, code}'),
  ISOTHERM_SEPARATE_DUTIES: z
    .enum(['0', '1'], 'is not 0 or 1')
    .default('0')
    .describe('1 separates the administration of system, security and audit: nobody holds two of them'),
  ...oidcEnvironment,
  ...noticeEnvironment,
  ISOTHERM_ALARM_LOCAL_TARGETS: z
    .enum(['0', '1'], 'is not 0 or 1')
    .default('0')
    .describe('1 allows alarm targets on this machine itself'),
  ISOTHERM_DEMO_LANGUAGE: z
    .enum(['zh', 'en'], 'is not zh or en')
    .default('zh')
    .describe('Language of the names in a new demo: zh or en; demo only'),
  ...titleEnvironment,
  ISOTHERM_FRAME_ORIGINS: z
    .string()
    .default('')
    .transform(splitAtCommas)
    .refine(areOrigins, NOT_ORIGINS)
    .describe('Origins of pages that may show the console in a frame, separated by commas'),
  ISOTHERM_ICON_ORIGINS: z
    .string()
    .default('')
    .transform(splitAtCommas)
    .refine(areOrigins, NOT_ORIGINS)
    .describe('Origins of the icons that modules may link to, separated by commas'),
  ISOTHERM_MAP_TILES: z
    .string()
    .refine((text) => findTileOrigin(text) !== undefined, 'is no http(s) address with {z}, {x} and {y}')
    .optional()
    .describe("URL of the base map's tiles, with {z}, {x} and {y}"),
  ISOTHERM_MAP_TILES_COORDINATES: mapCoordinates
    .default('wgs84')
    .describe('Coordinate system of the tiles; Chinese providers use GCJ-02'),
  ISOTHERM_MAP_TILES_ATTRIBUTION: z
    .string()
    .trim()
    .max(200, 'has more than 200 characters')
    .default('')
    .describe('Attribution text shown on the map'),
  ISOTHERM_MAP_TILES_MAX_ZOOM: z.coerce
    .number()
    .int()
    .min(1)
    .max(24)
    .default(18)
    .describe('Greatest zoom level of the tiles'),
  ISOTHERM_FORECAST_URL: urlOf('http', 'https', 'file')
    .optional()
    .describe(
      "Weather forecast in Open-Meteo's JSON, as an http(s) or file URL; may have {latitude}, {longitude} and {tenant}. For irrigation also hourly relative_humidity_2m, wind_speed_10m, shortwave_radiation and precipitation, with past_days=3",
    ),
  ISOTHERM_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'is no time zone')
    .default('Asia/Shanghai')
    .describe(
      'IANA time zone of the plant, for days, months and heating seasons; the same for all servers of the same stores. Changing it rebuilds the daily rollups from the kept readings, once no server has built those of the former zone for an hour',
    ),
  ISOTHERM_HEATING_SEASON: z
    .string()
    .regex(new RegExp(`^${MONTH_DAY}/${MONTH_DAY}$`), 'is not a pair of days such as 11-15/03-15')
    .default('11-15/03-15')
    .describe('First and last day of the heating season'),
  ...retentionEnvironment,
  ...backupEnvironment,
})

export interface Config extends ClickhouseConfig {
  readonly mode: 'demo' | 'production'
  /** Language of the names of demo accounts. */
  readonly demoLanguage: 'zh' | 'en'
  /** Absent: this server serves all companies. */
  readonly cell?: Cell | undefined
  readonly databaseUrl: string
  readonly mqtt: {
    /** URL of an external broker. Without it the server embeds one on host and port (0: any free port). */
    readonly url?: string | undefined
    readonly host: string
    readonly port: number
    /** Whether the embedded broker also has a port without TLS. */
    readonly isPlain: boolean
    /** TLS of the embedded broker; absent: none. */
    readonly tls?: MqttTlsConfig | undefined
    readonly maxConnections: number
    /** Connections that have not signed in. */
    readonly maxPending: number
    readonly secret: string
  }
  readonly http: {
    readonly host: string
    /** 0: any free port. */
    readonly port: number
    readonly consoleDir?: string | undefined
    /** Base addresses of the company's own backends. */
    readonly companyBackends: Readonly<Partial<Record<'usr-cloud' | 'ht-api', string>>>
    readonly metricsToken?: string | undefined
    readonly trustedProxies: readonly string[]
    /** Whether only what came by HTTPS is answered. */
    readonly isHttpsOnly: boolean
    /** Origins of pages that may show the console in a frame; empty: none. */
    readonly frameOrigins: readonly string[]
    /** Origins of the modules' external icons; empty: pages show the built-in icons. */
    readonly iconOrigins: readonly string[]
    /** Origin of the base map's tiles. */
    readonly tileOrigins: readonly string[]
  }
  /** Tiles of the base map; absent: a plain background. */
  readonly mapTiles?: MapTiles | undefined
  /** Folder of the companies' own map files. */
  readonly mapFolder?: string | undefined
  readonly console: {
    readonly companyTitle?: string | undefined
    readonly companyLogoFile?: string | undefined
    readonly sidebarLogo: 0 | 1 | 2
  }
  /** URL of the weather forecast, with places to fill in; absent: there is none. */
  readonly forecastUrl?: string | undefined
  /** SMS service for verification codes; absent: telephone numbers are not verified. */
  readonly verificationUrl?: string | undefined
  /** Whether administration of system, security and audit is separate (三员分立). */
  readonly hasSeparateDuties: boolean
  /** Secret from which the key of second factors derives. */
  readonly factorSecret: string
  /** Absent: accounts sign in with passwords of this server only. */
  readonly oidc?: OidcConfig | undefined
  /** Servers that notices leave through; absent ones are not configured. */
  readonly notices: NoticeConfig
  /** Whether alarm targets on this machine itself are allowed. */
  readonly allowsLocalTargets: boolean
  readonly registryFile?: string | undefined
  readonly history: {
    /** IANA name. */
    readonly timeZone: string
    /** First and last day: `11-15/03-15`. */
    readonly heatingSeason: string
    /** Retention of readings, hourly and daily rollups and raw frames, days; 0 retains forever. */
    readonly retentionDays: Readonly<Record<'readings' | 'hours' | 'days' | 'raw', number>>
  }
  /** Retention of ended alarms and ended findings, days; 0 retains forever. */
  readonly alarmRetentionDays: number
  /** Retention of the operation log, days; 0 retains forever. */
  readonly logRetentionDays: number
  readonly backup: BackupConfig
  readonly logLevel: z.infer<typeof environment>['ISOTHERM_LOG_LEVEL']
  /** `syslog+tls` URL of a collector; absent: the log stays on this machine. */
  readonly logForward?: string | undefined
}

/** An unusable setting. Its message is one line for the operator of the server. */
export class ConfigError extends Error {}

const toMapTiles = (url: string, read: z.infer<typeof environment>): MapTiles => ({
  url,
  coordinates: read.ISOTHERM_MAP_TILES_COORDINATES,
  attribution: read.ISOTHERM_MAP_TILES_ATTRIBUTION,
  maxZoom: read.ISOTHERM_MAP_TILES_MAX_ZOOM,
})

/** The server itself has no TLS, so that without a trusted proxy it would answer nobody. */
const findHttpsFault = (read: z.infer<typeof environment>): string | undefined =>
  read.ISOTHERM_HTTPS_ONLY === '1' && read.ISOTHERM_TRUSTED_PROXIES === undefined
    ? 'ISOTHERM_HTTPS_ONLY=1 needs the proxy with TLS in ISOTHERM_TRUSTED_PROXIES'
    : undefined

const sidebarLogos = { '0': 0, '1': 1, '2': 2 } as const

const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost']

export function toConfigLine(
  issue: z.core.$ZodIssue,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const name = String(issue.path[0])
  return env[name] === undefined ? `${name} is not set` : `${name} ${issue.message}`
}

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 * Throws ConfigError for a missing or unusable value. The message does not repeat values, they may be secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => toConfigLine(issue, present)).join('; '))
  }
  const read = parsed.data
  if (read.ISOTHERM_MODE === 'demo' && !loopbackHosts.includes(read.ISOTHERM_HOST)) {
    throw new ConfigError('ISOTHERM_HOST must be 127.0.0.1 in demo mode: its passwords are public')
  }
  if (read.ISOTHERM_COMPANY_LOGO !== undefined && read.ISOTHERM_COMPANY_TITLE === undefined) {
    throw new ConfigError('ISOTHERM_COMPANY_LOGO needs ISOTHERM_COMPANY_TITLE beside it')
  }
  const fault =
    findMqttTlsFault(read) ?? findOidcFault(read) ?? findHttpsFault(read) ?? findClusterFault(read)
  if (fault !== undefined) throw new ConfigError(fault)
  const mapTiles =
    read.ISOTHERM_MAP_TILES === undefined ? undefined : toMapTiles(read.ISOTHERM_MAP_TILES, read)
  return {
    mode: read.ISOTHERM_MODE,
    demoLanguage: read.ISOTHERM_DEMO_LANGUAGE,
    cell: read.ISOTHERM_TENANTS && toCell(read.ISOTHERM_TENANTS),
    databaseUrl: read.DATABASE_URL,
    ...toClickhouse(read),
    mqtt: {
      url: read.MQTT_URL,
      host: read.ISOTHERM_MQTT_HOST,
      port: read.ISOTHERM_MQTT_PORT,
      ...toMqttTls(read),
      maxConnections: read.ISOTHERM_MQTT_CONNECTIONS,
      maxPending: read.ISOTHERM_MQTT_PENDING,
      secret: read.ISOTHERM_MQTT_SECRET,
    },
    http: {
      host: read.ISOTHERM_HOST,
      port: read.ISOTHERM_PORT,
      consoleDir: read.ISOTHERM_CONSOLE_DIR,
      companyBackends: {
        ...(read.ISOTHERM_FIRST_BACKEND !== undefined && { 'usr-cloud': read.ISOTHERM_FIRST_BACKEND }),
        ...(read.ISOTHERM_SECOND_BACKEND !== undefined && { 'ht-api': read.ISOTHERM_SECOND_BACKEND }),
      },
      metricsToken: read.ISOTHERM_METRICS_TOKEN,
      trustedProxies: splitAtCommas(read.ISOTHERM_TRUSTED_PROXIES ?? ''),
      isHttpsOnly: read.ISOTHERM_HTTPS_ONLY === '1',
      frameOrigins: read.ISOTHERM_FRAME_ORIGINS,
      iconOrigins: read.ISOTHERM_ICON_ORIGINS,
      tileOrigins: mapTiles === undefined ? [] : [findTileOrigin(mapTiles.url) ?? ''],
    },
    mapTiles,
    mapFolder: read.ISOTHERM_MAP_FOLDER,
    console: {
      companyTitle: read.ISOTHERM_COMPANY_TITLE,
      companyLogoFile: read.ISOTHERM_COMPANY_LOGO,
      sidebarLogo: sidebarLogos[read.ISOTHERM_SIDEBAR_LOGO],
    },
    forecastUrl: read.ISOTHERM_FORECAST_URL,
    verificationUrl: read.ISOTHERM_VERIFICATION_URL,
    oidc: toOidc(read),
    factorSecret: read.ISOTHERM_FACTOR_SECRET ?? read.ISOTHERM_MQTT_SECRET,
    hasSeparateDuties: read.ISOTHERM_SEPARATE_DUTIES === '1',
    notices: toNoticeConfig(read),
    allowsLocalTargets: read.ISOTHERM_ALARM_LOCAL_TARGETS === '1',
    registryFile: read.ISOTHERM_REGISTRY_FILE,
    history: {
      timeZone: read.ISOTHERM_TIME_ZONE,
      heatingSeason: read.ISOTHERM_HEATING_SEASON,
      retentionDays: {
        readings: read.ISOTHERM_KEEP_READINGS_DAYS,
        hours: read.ISOTHERM_KEEP_HOURLY_DAYS,
        days: read.ISOTHERM_KEEP_DAILY_DAYS,
        raw: read.ISOTHERM_KEEP_RAW_DAYS,
      },
    },
    alarmRetentionDays: read.ISOTHERM_KEEP_ALARMS_DAYS,
    logRetentionDays: read.ISOTHERM_KEEP_LOG_DAYS,
    backup: toBackupConfig(read),
    logLevel: read.ISOTHERM_LOG_LEVEL,
    logForward: read.ISOTHERM_LOG_FORWARD,
  }
}

/** The environment of the process. No other file of the server reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env
