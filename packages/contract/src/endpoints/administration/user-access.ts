import { z } from 'zod'
import { defineEndpoint, publicAccess, sessionAccess } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { secondFactorCode, secondFactorErrors } from './session.ts'
import { changedUser, managesUsers, passwordErrors, passwordHash, passwordText, uid } from './users.ts'

const token = z.string().max(200).optional()

export const sendVerificationCode = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/sendVerificationCode',
  summary: 'Sends a six-digit code to a telephone number, valid for five minutes and five attempts.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ token, tel: z.string().regex(/^\+?\d{5,20}$/) }),
  output: z.object({ expiresAt: instant }),
  errors: ['verification.not-configured', 'verification.not-sent', 'request.too-many'],
})

export const getVerification = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetVerification',
  summary: 'Whether an SMS gateway is configured, so that a new telephone number needs a verification code.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({}),
  output: z.object({ isConfigured: z.boolean() }),
  errors: [],
})

export const resetPassword = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/ResetPassword',
  summary: 'Sets the password of an account and ends its sessions immediately.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ uid, version, password: passwordHash, passwordText }),
  output: changedUser,
  errors: ['entity.stale', 'account.yourself', ...passwordErrors],
})

export const changePassword = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/ChangePassword',
  summary: 'Changes the password of an account, given the present one, and ends its sessions immediately.',
  access: publicAccess,
  effect: 'changes',
  input: z.object({
    username: z.string().min(1).max(64),
    password: passwordHash,
    code: secondFactorCode,
    newPassword: passwordHash,
    newPasswordText: passwordText,
  }),
  output: z.object({ account: z.string() }),
  errors: [
    'session.bad-credentials',
    'session.slowed',
    'session.disabled',
    'session.given-ended',
    'company.elsewhere',
    ...secondFactorErrors,
    ...passwordErrors,
  ],
})

/** A session that has not ended. */
export const userSession = z.object({
  id: z.number().int().positive(),
  uid: z.number().int().positive(),
  /** Network address of the client. */
  address: z.string(),
  createdAt: instant,
  /** When it expires. */
  expiresAt: instant,
  /** True for the caller's present session. */
  isThis: z.boolean(),
})

export const getSessions = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetSessions',
  summary: 'Sessions of an account that have not ended, newest first.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({ uid, limiter: limiter.default({ page: 1, size: 100 }) }),
  output: pageOf(userSession),
  errors: ['account.not-found'],
})

export const endSessions = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/EndSessions',
  summary: 'Ends sessions immediately, with their tokens and live connections.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ ids: z.array(refersTo('session', z.number().int().positive())).min(1).max(100) }),
  output: z.object({ ended: z.number().int().nonnegative() }),
  errors: ['session.not-found'],
})

export const getOwnSessions = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetOwnSessions',
  summary: 'Sessions of the caller’s own account that have not ended, newest first.',
  access: sessionAccess,
  effect: 'reads',
  apiKeys: 'refused',
  input: z.object({ limiter: limiter.default({ page: 1, size: 100 }) }),
  output: pageOf(userSession).extend({
    /** Whether the password is needed to end sessions. Accounts of another authority have none here. */
    needsPassword: z.boolean(),
  }),
  errors: [],
})

export const endOwnSessions = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/EndOwnSessions',
  summary:
    'Ends sessions of the caller’s own account, given its password, or within ten minutes of a sign-in at another authority.',
  access: sessionAccess,
  effect: 'changes',
  input: z.object({
    ids: z.array(refersTo('session', z.number().int().positive())).min(1).max(100),
    password: passwordHash.optional(),
    code: secondFactorCode,
  }),
  output: z.object({ ended: z.number().int().nonnegative() }),
  errors: [
    'session.not-found',
    'session.not-fresh',
    'session.bad-credentials',
    'session.slowed',
    'session.disabled',
    'session.given-ended',
    'company.elsewhere',
    ...secondFactorErrors,
  ],
})

export const userAccessEndpoints = {
  sendVerificationCode,
  getVerification,
  resetPassword,
  changePassword,
  getSessions,
  endSessions,
  getOwnSessions,
  endOwnSessions,
} as const
