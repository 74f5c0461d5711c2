import type { sessionEndpoints } from '@isotherm/contract/endpoints/session'
import type { CasesOf } from '../../endpoint-cases.testkit.ts'
import { toClientHash } from './passwords.ts'

const credentials = { username: 'whole', password: toClientHash('whole') }

export const sessionCases: CasesOf<keyof typeof sessionEndpoints> = {
  login: async () => credentials,
  tokenLogin: async () => credentials,
  logout: async () => ({ opType: 1 }),
  getUser: async () => ({}),
  refreshToken: async () => ({}),
  reflushToken: async () => ({}),
  getAllModulesU: async () => ({}),
}
