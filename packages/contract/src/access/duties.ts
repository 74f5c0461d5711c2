import type { PagePermission } from './permissions.ts'

/**
 * The three duties of 三员分立 and the pages of each. With the switch on, no role and no account has pages of two of them.
 * All other pages belong to none.
 */
export const dutyPages = {
  system: ['ps-modelsys', 'ps-oraigionsys', 'ps-interfacesys'],
  security: ['ps-rolecodesys', 'ps-rolesys', 'ps-usersys', 'ps-htusersys', 'pu-usersetting'],
  audit: ['ps-oplogsys'],
} as const satisfies Record<string, readonly PagePermission[]>

export type Duty = keyof typeof dutyPages
