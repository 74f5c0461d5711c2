import { z } from 'zod'
import { defineEndpoint, publicAccess, sessionAccess } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { login, tokenHash } from './session.ts'
import { changedUser, managesUsers, uid } from './users.ts'

const { username, password } = login.input.shape
const credentials = { username, password }
const code = z.string().min(6).max(40)
/** The tokens of the caller, as hashes: their sessions go on, the other ones of the account end. One session or two. */
const tokenHashes = z.array(tokenHash).max(2).optional()

export const getSecondFactor = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetSecondFactor',
  summary:
    "Whether the caller's sign-in needs a one-time code, and whether a role or the password policy requires that.",
  access: sessionAccess,
  effect: 'reads',
  input: z.object({}),
  output: z.object({
    isOn: z.boolean(),
    isRequired: z.boolean(),
    recoveryCodesLeft: z.number().int().nonnegative(),
  }),
  errors: [],
})

const passwordErrors = [
  'session.bad-credentials',
  'session.slowed',
  'session.disabled',
  'session.given-ended',
  'company.elsewhere',
] as const

export const startSecondFactor = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/StartSecondFactor',
  summary: 'Creates a key for an authenticator app, given the password. A code must confirm it.',
  access: publicAccess,
  effect: 'changes',
  input: z.object(credentials),
  /** The key in base 32, and the address for a QR code. */
  output: z.object({ secret: z.string(), url: z.string() }),
  errors: [...passwordErrors, 'second-factor.on'],
})

export const confirmSecondFactor = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/ConfirmSecondFactor',
  summary:
    'Turns the second factor on by its first code, ends the other sessions, and returns recovery codes, which are never shown again.',
  access: publicAccess,
  effect: 'changes',
  input: z.object({ ...credentials, code, tokenHashes }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: [...passwordErrors, 'session.wrong-code', 'second-factor.on', 'second-factor.off'],
})

export const removeSecondFactor = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/RemoveSecondFactor',
  summary:
    'Turns the second factor off, given the password and a code, unless a role or the password policy requires it, and ends the other sessions.',
  access: publicAccess,
  effect: 'changes',
  input: z.object({ ...credentials, code, tokenHashes }),
  output: z.object({}),
  errors: [...passwordErrors, 'session.wrong-code', 'second-factor.off', 'second-factor.required'],
})

export const resetSecondFactor = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/ResetSecondFactor',
  summary: 'Turns off the second factor of a user who lost it, and ends the sessions of the user.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ uid, version }),
  output: changedUser,
  errors: ['entity.stale', 'account.yourself', 'second-factor.off'],
})

export const secondFactorEndpoints = {
  getSecondFactor,
  startSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
} as const
