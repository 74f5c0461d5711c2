import type { dutiesEndpoints } from '@isotherm/contract/endpoints/administration/duties'
import type { passwordPolicyEndpoints } from '@isotherm/contract/endpoints/administration/password-policy'
import type { secondFactorEndpoints } from '@isotherm/contract/endpoints/administration/second-factor'
import type { sessionEndpoints } from '@isotherm/contract/endpoints/administration/session'
import type { singleSignOnEndpoints } from '@isotherm/contract/endpoints/administration/single-sign-on'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { SingleSignOn } from './oidc/single-sign-on.ts'
import type { PasswordPolicies } from './passwords/password-policies.pg.ts'
import type { Enrolment } from './second-factor/enrolment.ts'
import type { SessionService } from './service.ts'

export const createSessionHandlers = (
  session: SessionService,
  policies: PasswordPolicies,
  areDutiesSeparate: () => Promise<boolean>,
  enrolment: Enrolment,
  singleSignOn: SingleSignOn,
): HandlersOf<
  | keyof typeof sessionEndpoints
  | keyof typeof passwordPolicyEndpoints
  | keyof typeof dutiesEndpoints
  | keyof typeof singleSignOnEndpoints
  | Exclude<keyof typeof secondFactorEndpoints, 'resetSecondFactor'>
> => ({
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
  async endLoggedOut({ tokenHashes }) {
    await session.endByHashes(tokenHashes)
    return {}
  },
  getUser: (_input, { caller }) => session.getUser(caller),
  async refreshToken(_input, call) {
    const { token, expiresAt } = await session.exchange('usr-cloud', call)
    return { token, expiresAt }
  },
  async recordActivity(_input, { caller }) {
    return { idleMinutes: await session.recordActivity(caller) }
  },
  async reflushToken(_input, call) {
    const { token, account } = await session.exchange('ht-api', call)
    return { data: token, utype: account.utype }
  },
  startSingleSignOn: () => singleSignOn.start(),
  finishSingleSignOn: (input, call) => singleSignOn.finish(input, call),
  getSecondFactor: (_input, { caller }) => enrolment.find(caller),
  startSecondFactor: (input, call) => enrolment.start(input, call),
  confirmSecondFactor: (input, call) => enrolment.confirm(input, call),
  removeSecondFactor: (input, call) => enrolment.remove(input, call),
  getDuties: async () => ({ areSeparate: await areDutiesSeparate() }),
  getPasswordRules: ({ companyId }, { caller }) => policies.readRules(caller, companyId),
  getPasswordPolicy: ({ companyId }, { caller }) => policies.get(caller, companyId),
  editPasswordPolicy: (input, call) => policies.edit(call, input),
  getAllModulesU: (_input, { caller }) => session.listModules(caller),
})
