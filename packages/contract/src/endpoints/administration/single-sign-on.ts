import { z } from 'zod'
import { defineEndpoint, publicAccess } from '../../endpoint.ts'

const token = z.string().min(1).max(200)
const parameter = z.string().min(1).max(2_000)

export const startSingleSignOn = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/StartSingleSignOn',
  summary:
    "Starts a sign-in at the company's OpenID Connect provider: the page to open, and a secret that finishes the sign-in.",
  access: publicAccess,
  effect: 'changes',
  input: z.object({}),
  output: z.object({ url: z.string(), secret: token }),
  errors: ['single-sign-on.off', 'single-sign-on.unavailable'],
})

export const finishSingleSignOn = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/FinishSingleSignOn',
  summary:
    "Finishes a sign-in with the provider's answer: tokens of both backends. Roles follow the person's groups.",
  access: publicAccess,
  effect: 'changes',
  input: z.object({ secret: token, code: parameter, state: parameter, iss: parameter.optional() }),
  output: z.object({
    /** Token of the second backend. */
    token,
    uid: z.number().int(),
    /** Unix ms. */
    expiresAt: z.number().int(),
    /** Token of the first backend. */
    data: token,
    utype: z.string(),
  }),
  errors: [
    'single-sign-on.off',
    'single-sign-on.refused',
    'single-sign-on.no-role',
    'single-sign-on.account-taken',
    'single-sign-on.one-factor',
    'session.disabled',
    'company.not-found',
    'company.elsewhere',
    'access.separate-duties',
  ],
})

export const singleSignOnEndpoints = { startSingleSignOn, finishSingleSignOn } as const
