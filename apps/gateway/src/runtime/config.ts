import { type GatewayName, parseMqttUsername } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import type { TlsFiles } from '../uplink/tls-files.ts'

const isGatewayName = (text: string): boolean => parseMqttUsername(text) !== undefined

const file = z.string().min(1).optional()

/** The gateway's environment variables. */
export const environment = z
  .object({
    MQTT_URL: z.url({
      protocol: /^(mqtt|mqtts|ws|wss)$/,
      error: 'is needed, for example mqtts://server.example:8883',
    }),
    ISOTHERM_GATEWAY_USER: z
      .string('is needed: company/serial, as the console shows it')
      .refine(isGatewayName, 'must be company/serial, as the console shows it')
      .describe('Gateway only: MQTT user name of its concentrator, company/serial'),
    ISOTHERM_GATEWAY_PASSWORD: z
      .string()
      .min(1, 'is empty')
      .optional()
      .describe('Gateway only: MQTT password of its concentrator; not needed with a certificate'),
    ISOTHERM_GATEWAY_CERTIFICATE: file.describe(
      'Gateway only: file with its certificate, in PEM. Read again before each connection, as its key',
    ),
    ISOTHERM_GATEWAY_KEY: file.describe(
      'Gateway only: file with the private key of this certificate, in PEM',
    ),
    ISOTHERM_GATEWAY_CA: file.describe(
      'Gateway only: file with the authorities that sign the certificate of the broker, in PEM; without it those of the machine',
    ),
    ISOTHERM_GATEWAY_CONFIG: z
      .string()
      .min(1)
      .optional()
      .describe('Gateway only: file with its lines, devices and profiles, instead of the registry'),
    ISOTHERM_GATEWAY_DATA: z
      .string()
      .min(1)
      .default('.data/gateway')
      .describe('Gateway only: folder of what is not acknowledged and of the command journal'),
    ISOTHERM_GATEWAY_STORE_MB: z.coerce
      .number('is not a number')
      .min(1)
      .max(1_000_000)
      .default(1_024)
      .describe('Gateway only: limit of the stored readings, MB; beyond it the oldest are dropped'),
    ISOTHERM_GATEWAY_HISTORY_DELAY_S: z.coerce
      .number('is not a number')
      .min(0)
      .max(3_600)
      .default(30)
      .describe('Gateway only: longest random pause after a connection before stored history is sent, s'),
    ISOTHERM_SERVER_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Gateway only: address of the server from which it gets its configuration'),
    ISOTHERM_API_KEY: z
      .string()
      .min(1)
      .optional()
      .describe('Gateway only: API key with which it gets its configuration'),
  })
  .refine(
    ({ ISOTHERM_GATEWAY_CONFIG: file, ISOTHERM_SERVER_URL: url, ISOTHERM_API_KEY: key }) =>
      file !== undefined || (url !== undefined && key !== undefined),
    { path: ['ISOTHERM_SERVER_URL'], error: 'and ISOTHERM_API_KEY are needed, or ISOTHERM_GATEWAY_CONFIG' },
  )
  .refine(
    ({ ISOTHERM_GATEWAY_PASSWORD: password, ISOTHERM_GATEWAY_CERTIFICATE: certificate }) =>
      password !== undefined || certificate !== undefined,
    {
      path: ['ISOTHERM_GATEWAY_PASSWORD'],
      error: 'is needed: the console shows it; or ISOTHERM_GATEWAY_CERTIFICATE',
    },
  )
  .refine(
    ({ ISOTHERM_GATEWAY_CERTIFICATE: certificate, ISOTHERM_GATEWAY_KEY: key }) =>
      (certificate === undefined) === (key === undefined),
    { path: ['ISOTHERM_GATEWAY_CERTIFICATE'], error: 'and ISOTHERM_GATEWAY_KEY are needed together' },
  )
  .refine(
    ({ MQTT_URL: url, ISOTHERM_GATEWAY_CERTIFICATE: certificate }) =>
      certificate === undefined || /^(mqtts|wss):/i.test(url),
    { path: ['MQTT_URL'], error: 'must begin with mqtts:// or wss:// for a certificate' },
  )

/** Where a gateway gets its configuration. */
export type ConfigPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string; readonly apiKey: string }

export interface Settings {
  readonly mqttUrl: string
  readonly name: GatewayName
  readonly password?: string | undefined
  readonly tls?: TlsFiles | undefined
  readonly dataFolder: string
  readonly storeBytes: number
  readonly historyDelayMs: number
  readonly place: ConfigPlace
}

export type SettingsOutcome =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** The gateway's settings, or what is wrong, one line per variable. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): SettingsOutcome {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  const name = parsed.success ? parseMqttUsername(parsed.data.ISOTHERM_GATEWAY_USER) : undefined
  if (!parsed.success || name === undefined) {
    const issues = parsed.error?.issues ?? []
    return { kind: 'invalid', problems: issues.map(({ path, message }) => `${path.join('.')} ${message}`) }
  }
  const { data } = parsed
  const place: ConfigPlace =
    data.ISOTHERM_GATEWAY_CONFIG === undefined
      ? { kind: 'server', url: data.ISOTHERM_SERVER_URL ?? '', apiKey: data.ISOTHERM_API_KEY ?? '' }
      : { kind: 'file', path: data.ISOTHERM_GATEWAY_CONFIG }
  return {
    kind: 'settings',
    settings: {
      mqttUrl: data.MQTT_URL,
      name,
      password: data.ISOTHERM_GATEWAY_PASSWORD,
      tls: {
        certificate: data.ISOTHERM_GATEWAY_CERTIFICATE,
        key: data.ISOTHERM_GATEWAY_KEY,
        authorities: data.ISOTHERM_GATEWAY_CA,
      },
      dataFolder: data.ISOTHERM_GATEWAY_DATA,
      storeBytes: data.ISOTHERM_GATEWAY_STORE_MB * 1_000_000,
      historyDelayMs: data.ISOTHERM_GATEWAY_HISTORY_DELAY_S * 1_000,
      place,
    },
  }
}
