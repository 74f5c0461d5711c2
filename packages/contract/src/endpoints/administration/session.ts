import { z } from 'zod'
import { defineEndpoint, publicAccess, sessionAccess } from '../../endpoint.ts'

const account = z.string().min(1).max(64)
/** SHA-256 of the UTF-8 password in lower-case hex, computed by the client. */
const passwordHash = z.string().regex(/^[0-9a-f]{64}$/)
const token = z.string().min(1).max(200)

/** What the console stores of the signed-in user (specification, section 3). */
export const userInfo = z.object({
  id: z.number().int(),
  account,
  name: z.string(),
  pAccount: z.string(),
  sysrole: z.number().int(),
  tel: z.string(),
  type_id: z.number().int(),
  usrUserLevel: z.number().int(),
  usrUserType: z.string(),
  projectIds: z.array(z.number().int()),
})
export type UserInfo = z.infer<typeof userInfo>

/** A module that the user can use; `url` is its permission value. */
export const moduleItem = z.object({
  id: z.number().int(),
  parentId: z.number().int().nullable(),
  name: z.string(),
  url: z.string(),
  icon: z.string(),
  sort: z.number().int(),
  enabled: z.boolean(),
})
export type ModuleItem = z.infer<typeof moduleItem>

/** A one-time code of an authenticator app, or a recovery code; only for accounts with a second factor. */
export const secondFactorCode = z.string().min(6).max(40).optional()
const credentials = z.object({ username: account, password: passwordHash, code: secondFactorCode })
/** Why a right password opens no session. */
export const secondFactorErrors = [
  'session.second-factor',
  'session.wrong-code',
  'session.second-factor-missing',
] as const
const loginErrors = [
  'session.bad-credentials',
  'session.slowed',
  'session.disabled',
  'session.given-ended',
  'company.elsewhere',
  'session.password-expired',
  ...secondFactorErrors,
] as const

export const login = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/login',
  summary: 'Signs in with account and password and returns a first-backend token for two hours.',
  access: publicAccess,
  effect: 'changes',
  input: credentials,
  output: z.object({ token, uid: z.number().int(), expiresAt: z.number().int() }),
  errors: loginErrors,
})

export const logout = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/logout',
  summary: 'Ends the session and both its tokens.',
  access: sessionAccess,
  effect: 'changes',
  input: z.object({ opType: z.literal(1) }),
  output: z.object({}),
  errors: [],
})

/** SHA-256 of the UTF-8 token in lower-case hex: enough to end its session, not to use it. */
export const tokenHash = z.string().regex(/^[0-9a-f]{64}$/)

export const endLoggedOut = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/EndLoggedOut',
  summary:
    'Ends sessions by the hashes of their first-backend tokens: those that a browser logged out of while the server was away.',
  access: publicAccess,
  effect: 'changes',
  input: z.object({ tokenHashes: z.array(tokenHash).min(1).max(20) }),
  output: z.object({}),
  errors: [],
})

export const getUser = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/getUser',
  summary: 'The signed-in user.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ token: token.optional() }),
  output: userInfo,
  errors: [],
})

export const refreshToken = defineEndpoint({
  backend: 'usr-cloud',
  method: 'GET',
  path: '/user/refreshToken',
  summary: 'Exchanges the first-backend token for a new one that is valid for two hours.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ token: token.optional() }),
  output: z.object({ token, expiresAt: z.number().int() }),
  errors: [],
})

export const recordActivity = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/active',
  summary: 'The user of the session gave input just now: an idle session ends by the rules of the company.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ token: token.optional() }),
  output: z.object({
    /** Minutes without input after which the session ends; 0: it does not. */
    idleMinutes: z.number().int().nonnegative(),
  }),
  errors: [],
})

export const tokenLogin = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/TokenLogin',
  summary: 'Signs in with account and password and returns a second-backend token for two hours.',
  access: publicAccess,
  effect: 'changes',
  input: credentials,
  output: z.object({ data: token, utype: z.string() }),
  errors: loginErrors,
})

export const reflushToken = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/User/ReflushToken',
  summary: 'Exchanges the second-backend token for a new one that is valid for two hours.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({ token: token.optional() }),
  output: z.object({ data: token, utype: z.string() }),
  errors: [],
})

export const getAllModulesU = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Module/GetAllModulesU',
  summary: 'Modules that the signed-in user can use, with role code and company account.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({}),
  output: z.object({ data: z.array(moduleItem), rcode: z.number().int(), paccount: z.string() }),
  errors: [],
})

export const sessionEndpoints = {
  login,
  logout,
  endLoggedOut,
  getUser,
  refreshToken,
  recordActivity,
  tokenLogin,
  reflushToken,
  getAllModulesU,
} as const
