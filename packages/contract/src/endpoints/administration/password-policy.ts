import { z } from 'zod'
import { passwordRules } from '../../access/password-rules.ts'
import { defineEndpoint, requiresPermission, sessionAccess } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'

/** The company that the rules belong to; null for the rules of the installation, which apply to every account. */
const companyId = refersTo('company', z.number().int().positive()).nullable()

export const getPasswordRules = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetPasswordRules',
  summary: 'Rules for new passwords of an account: of the installation, tightened by those of its company.',
  access: sessionAccess,
  effect: 'reads',
  /** Without a company: the rules for the caller's own password. */
  input: z.object({ companyId: companyId.optional() }),
  output: passwordRules,
  errors: [],
})

const managesPolicy = requiresPermission('ps-usersys', 'ps-htusersys')

/** The rules that were set for one company, or for the installation. */
export const passwordPolicy = z.object({
  companyId: z.number().int().positive().nullable(),
  rules: passwordRules,
  /** 0: the company has no rules of its own yet. */
  version: z.number().int().nonnegative(),
  mayEdit: z.boolean(),
})
export type PasswordPolicy = z.infer<typeof passwordPolicy>

export const getPasswordPolicy = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/GetPasswordPolicy',
  summary: 'The rules for passwords that were set for one company, or for the installation.',
  access: managesPolicy,
  effect: 'reads',
  input: z.object({ companyId }),
  output: passwordPolicy,
  errors: [],
})

export const editPasswordPolicy = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/User/EditPasswordPolicy',
  summary:
    'Sets the rules for passwords of one company, or of the installation (only provider staff who see everything).',
  access: managesPolicy,
  effect: 'changes',
  input: z.object({ companyId, version: version.or(z.literal(0)), ...passwordRules.shape }),
  output: passwordPolicy,
  errors: ['access.denied', 'entity.stale'],
})

export const passwordPolicyEndpoints = { getPasswordRules, getPasswordPolicy, editPasswordPolicy } as const
