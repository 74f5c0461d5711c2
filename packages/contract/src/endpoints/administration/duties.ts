import { z } from 'zod'
import { dutyPages } from '../../access/duties.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'

const [first, ...rest] = [...dutyPages.security, ...dutyPages.system, ...dutyPages.audit] as const

export const getDuties = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/GetDuties',
  summary: 'Whether the administration of system, security and audit is separate in this installation.',
  /** Everybody with a page of administration. */
  access: requiresPermission(first, ...rest),
  effect: 'reads',
  input: z.object({}),
  output: z.object({ areSeparate: z.boolean() }),
  errors: [],
})

export const dutiesEndpoints = { getDuties } as const
