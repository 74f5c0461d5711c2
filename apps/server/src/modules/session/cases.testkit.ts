import type { sessionEndpoints } from '@isotherm/contract/endpoints/administration/session'
import type { CasesOf } from '../../testing/endpoint-cases.testkit.ts'
import { toClientHash } from './sign-in/passwords.ts'

/** An account that nothing else signs in to: spoilt passwords slow it down. */
const credentials = { username: 'visitor', password: toClientHash('visitor') }

export const sessionCases: CasesOf<keyof typeof sessionEndpoints> = {
  login: async () => credentials,
  tokenLogin: async () => credentials,
  logout: async () => ({ opType: 1 }),
  getUser: async () => ({}),
  refreshToken: async () => ({}),
  reflushToken: async () => ({}),
  getAllModulesU: async () => ({}),
}
