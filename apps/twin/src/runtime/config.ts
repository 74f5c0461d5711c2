import { z } from 'zod'

/** Default number of simulated seconds per real second: the effect of a valve shows within a minute. */
const DEFAULT_TIME_FACTOR = 60

/** Default scenario: a name, or the path of a scenario file. */
export const DEFAULT_SCENARIO = 'demo'

/** Largest number of simulated seconds per real second. */
const MAX_TIME_FACTOR = 3600

/** Default days of history: six weeks, so that pages can compare two periods and show a cold spell. */
const DEFAULT_SEASON_DAYS = 42

/** Whether a time factor is within its range. */
export const isTimeFactor = (factor: number): boolean => factor >= 1 && factor <= MAX_TIME_FACTOR

/** The twin's environment variables. */
export const environment = z.object({
  MQTT_URL: z.url({
    protocol: /^(mqtt|mqtts|ws|wss)$/,
    error: 'is needed, for example mqtt://127.0.0.1:1883',
  }),
  ISOTHERM_MQTT_SECRET: z.string('is needed').min(1, 'is empty'),
  ISOTHERM_DATA: z.string().min(1).default('.data'),
  ISOTHERM_TIME_FACTOR: z.coerce
    .number('is not a number')
    .refine(isTimeFactor, `must be 1 to ${MAX_TIME_FACTOR}`)
    .default(DEFAULT_TIME_FACTOR)
    .describe('Speed of the simulated field: simulated seconds per second, 1 to 3600; demo only'),
  ISOTHERM_SCENARIO: z
    .string()
    .min(1)
    .default(DEFAULT_SCENARIO)
    .describe('Name of the simulated scenario, or path of a scenario file; demo only'),
  ISOTHERM_DEMO_LANGUAGE: z
    .enum(['zh', 'en'], 'is not zh or en')
    .default('zh')
    .describe('Language of the names in a new demo: zh or en; demo only'),
  ISOTHERM_SEASON_DAYS: z.coerce
    .number('is not a number')
    .int()
    .min(0)
    .max(180, 'is more than 180')
    .default(DEFAULT_SEASON_DAYS)
    .describe('Days before the first start for which the simulated field sends history; demo only'),
  ISOTHERM_TRUTH_PORT: z.coerce
    .number('is not a number')
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port on this machine that serves the true state of the simulated field; demo only'),
})

export interface TwinConfig {
  readonly mqttUrl: string
  readonly mqttSecret: string
  readonly dataFolder: string
  readonly timeFactor: number
  /** Name or path of a scenario file. */
  readonly scenario: string
  /** Language of the names of a named scenario. */
  readonly language: 'zh' | 'en'
  /** Days before the first start for which history is sent; 0: none. */
  readonly seasonDays: number
  /** Loopback port of the truth server; absent: no server. */
  readonly truthPort: number | undefined
}

export type ConfigOutcome =
  | { readonly kind: 'config'; readonly config: TwinConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** The twin's configuration, or its errors, one line per variable. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): ConfigOutcome {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    return {
      kind: 'invalid',
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`),
    }
  }
  const { data } = parsed
  return {
    kind: 'config',
    config: {
      mqttUrl: data.MQTT_URL,
      mqttSecret: data.ISOTHERM_MQTT_SECRET,
      dataFolder: data.ISOTHERM_DATA,
      timeFactor: data.ISOTHERM_TIME_FACTOR,
      scenario: data.ISOTHERM_SCENARIO,
      language: data.ISOTHERM_DEMO_LANGUAGE,
      seasonDays: data.ISOTHERM_SEASON_DAYS,
      truthPort: data.ISOTHERM_TRUTH_PORT,
    },
  }
}
