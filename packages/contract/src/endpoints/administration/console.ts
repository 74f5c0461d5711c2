import { z } from 'zod'
import { defineEndpoint, publicAccess } from '../../endpoint.ts'

/** Logo in the sidebar: 0 none, 1 the company's, 2 the common one (specification, section 9). */
export const sidebarLogo = z.union([z.literal(0), z.literal(1), z.literal(2)])

const monthDay = z.string().regex(/^\d{2}-\d{2}$/)

/** Settings of the console that are public before sign-in. */
export const consoleSettings = z.object({
  /**
   * Title with login-source id 0; null if the installation names no company. The demo's title is in the requested language,
   * a real company's title in its own.
   */
  companyTitle: z.string().nullable(),
  /** URL of the company's logo on this server; null if there is none. */
  companyLogo: z.string().nullable(),
  sidebarLogo,
  /** Default login-source id: 0 if a company is named, otherwise 128. */
  loginSrcId: z.number().int(),
  demo: z.boolean(),
  /** Users may sign in at the company's own provider. */
  singleSignOn: z.literal(true).optional(),
  /** First and last day of the heating season, both included, as `11-15`; the season can include New Year. */
  heatingSeason: z.object({ first: monthDay, last: monthDay }),
  /** IANA zone of the days, months and seasons of all figures, whatever the zone of the reader. */
  timeZone: z.string(),
})
export type ConsoleSettings = z.infer<typeof consoleSettings>

export const getConsoleSettings = defineEndpoint({
  backend: 'usr-cloud',
  method: 'GET',
  path: '/console/getSettings',
  summary: 'Title, logo, mode, heating season and time zone of this installation, also for the login page.',
  access: publicAccess,
  effect: 'reads',
  /** Calls of the first backend may carry a token; this one ignores it. */
  input: z.object({ token: z.string().max(200).optional() }),
  output: consoleSettings,
  errors: [],
})

export const consoleEndpoints = { getConsoleSettings } as const
