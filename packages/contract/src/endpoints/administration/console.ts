import { z } from 'zod'
import { defineEndpoint, publicAccess } from '../../endpoint.ts'

/** Which logo stands in the sidebar: 0 none, 1 the company's, 2 the common one (specification, section 9). */
export const sidebarLogo = z.union([z.literal(0), z.literal(1), z.literal(2)])

const monthDay = z.string().regex(/^\d{2}-\d{2}$/)

/** What an installation says about its console before anybody has signed in. */
export const consoleSettings = z.object({
  /**
   * Title with login-source id 0; null when the installation names no company. The demo's comes in the
   * language asked for, a real company's in the one it is written in.
   */
  companyTitle: z.string().nullable(),
  /** Address of the company's logo on this server; null without one. */
  companyLogo: z.string().nullable(),
  sidebarLogo,
  /** Login-source id of a login that brings none: 0 when a company is named, else 128. */
  loginSrcId: z.number().int(),
  demo: z.boolean(),
  /** First and last day of the heating season, both included, as `11-15`; they may lie in two years. */
  heatingSeason: z.object({ first: monthDay, last: monthDay }),
})
export type ConsoleSettings = z.infer<typeof consoleSettings>

export const getConsoleSettings = defineEndpoint({
  backend: 'usr-cloud',
  method: 'GET',
  path: '/console/getSettings',
  summary: 'Title, logo, mode and heating season of this installation, also for the login page.',
  access: publicAccess,
  effect: 'reads',
  /** Calls of the first backend may carry a token; here nobody looks at it. */
  input: z.object({ token: z.string().max(200).optional() }),
  output: consoleSettings,
  errors: [],
})

export const consoleEndpoints = { getConsoleSettings } as const
