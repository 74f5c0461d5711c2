import { type GatewayName, parseMqttUsername } from '@isotherm/contract/mqtt'
import { z } from 'zod'

const isGatewayName = (text: string): boolean => parseMqttUsername(text) !== undefined

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
      .string('is needed: the console shows it')
      .min(1, 'is empty')
      .describe('Gateway only: MQTT password of its concentrator'),
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

/** Where a gateway gets its configuration. */
export type ConfigPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string; readonly apiKey: string }

export interface Settings {
  readonly mqttUrl: string
  readonly name: GatewayName
  readonly password: string
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
      dataFolder: data.ISOTHERM_GATEWAY_DATA,
      storeBytes: data.ISOTHERM_GATEWAY_STORE_MB * 1_000_000,
      historyDelayMs: data.ISOTHERM_GATEWAY_HISTORY_DELAY_S * 1_000,
      place,
    },
  }
}
