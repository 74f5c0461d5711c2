import { defaultPasswordRules } from '@isotherm/contract/access/password-rules'
import type { dutiesEndpoints } from '@isotherm/contract/endpoints/administration/duties'
import {
  passwordPolicy,
  type passwordPolicyEndpoints,
} from '@isotherm/contract/endpoints/administration/password-policy'
import {
  confirmSecondFactor,
  type secondFactorEndpoints,
  startSecondFactor,
} from '@isotherm/contract/endpoints/administration/second-factor'
import type { sessionEndpoints } from '@isotherm/contract/endpoints/administration/session'
import {
  type singleSignOnEndpoints,
  startSingleSignOn,
} from '@isotherm/contract/endpoints/administration/single-sign-on'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'
import { followProvider } from './oidc/provider.testkit.ts'
import { toCode } from './second-factor/authenticator.testkit.ts'
import type { Credentials } from './sign-in/check-password.ts'
import { toClientHash } from './sign-in/passwords.ts'

/** An account that nothing else signs in to: spoilt passwords slow it down. */
const credentials = { username: 'visitor', password: toClientHash('visitor') }

const findCompany = async ({ server }: World): Promise<number> =>
  (await server.db.selectFrom('company').select('id').orderBy('id').executeTakeFirstOrThrow()).id

/** A new account whose password is its name. */
async function makeAccount(world: World): Promise<Credentials> {
  const username = world.unique('factor')
  await world.server.createAccount(username, [], [])
  return { username, password: toClientHash(username) }
}

/** Turns the second factor of an account on. Returns the credentials with a recovery code. */
export async function turnOn(
  world: World,
  credentials: Credentials,
): Promise<Credentials & { code: string }> {
  const { secret } = startSecondFactor.output.parse(await world.callOk('startSecondFactor', credentials))
  const input = { ...credentials, code: toCode(secret, Date.now()) }
  const { recoveryCodes } = confirmSecondFactor.output.parse(await world.callOk('confirmSecondFactor', input))
  return { ...credentials, code: recoveryCodes[0] ?? '' }
}

export const sessionCases: CasesOf<
  | keyof typeof sessionEndpoints
  | keyof typeof passwordPolicyEndpoints
  | keyof typeof dutiesEndpoints
  | keyof typeof singleSignOnEndpoints
  | Exclude<keyof typeof secondFactorEndpoints, 'resetSecondFactor'>
> = {
  login: async () => credentials,
  tokenLogin: async () => credentials,
  logout: async () => ({ opType: 1 }),
  endLoggedOut: async () => ({ tokenHashes: [toClientHash('no token')] }),
  getUser: async () => ({}),
  refreshToken: async () => ({}),
  recordActivity: async () => ({}),
  reflushToken: async () => ({}),
  getAllModulesU: async () => ({}),
  startSingleSignOn: async () => ({}),
  async finishSingleSignOn(world) {
    const started = startSingleSignOn.output.parse(await world.callOk('startSingleSignOn', {}))
    return { secret: started.secret, ...(await followProvider(started.url)) }
  },
  getSecondFactor: async () => ({}),
  startSecondFactor: (world) => makeAccount(world),
  async confirmSecondFactor(world) {
    const credentials = await makeAccount(world)
    const started = startSecondFactor.output.parse(await world.callOk('startSecondFactor', credentials))
    return { ...credentials, code: toCode(started.secret, Date.now()) }
  },
  removeSecondFactor: async (world) => turnOn(world, await makeAccount(world)),
  getDuties: async () => ({}),
  getPasswordRules: async (world) => ({ companyId: await findCompany(world) }),
  getPasswordPolicy: async (world) => ({ companyId: await findCompany(world) }),
  async editPasswordPolicy(world) {
    const companyId = await findCompany(world)
    const { version } = passwordPolicy.parse(await world.callOk('getPasswordPolicy', { companyId }))
    // Another value each time: an edit that changes nothing is no new version.
    const maxAgeDays = 1_000 + Number(world.unique(''))
    return { companyId, version, ...defaultPasswordRules, maxAgeDays }
  },
}
