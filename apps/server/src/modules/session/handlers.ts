import type { sessionEndpoints } from '@isotherm/contract/endpoints/administration/session'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { SessionService } from './service.ts'

export const createSessionHandlers = (
  session: SessionService,
): HandlersOf<keyof typeof sessionEndpoints> => ({
  async login(input, call) {
    const { token, expiresAt, account } = await session.login('usr-cloud', input, call)
    return { token, uid: account.id, expiresAt }
  },
  async tokenLogin(input, call) {
    const { token, account } = await session.login('ht-api', input, call)
    return { data: token, utype: account.utype }
  },
  async logout(_input, { caller }) {
    await session.logout(caller)
    return {}
  },
  getUser: (_input, { caller }) => session.getUser(caller),
  async refreshToken(_input, call) {
    const { token, expiresAt } = await session.exchange('usr-cloud', call)
    return { token, expiresAt }
  },
  async reflushToken(_input, call) {
    const { token, account } = await session.exchange('ht-api', call)
    return { data: token, utype: account.utype }
  },
  getAllModulesU: (_input, { caller }) => session.listModules(caller),
})
