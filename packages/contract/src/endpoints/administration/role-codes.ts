import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'

/** rcode and paccount of every sign-in by the rbac variant (specification, section 6). */
export const RBAC_CODE = 500
export const RBAC_PACCOUNT = 'rbac'

/** A role code with its meaning; several roles can share a code. */
export const roleCode = z.object({
  code: z.number().int(),
  name: z.string(),
  description: z.string(),
  /** Number of roles with this code that the caller can see. */
  roleCount: z.number().int().nonnegative(),
  version,
  abilities: z.array(z.enum(['edit', 'delete'])),
})
export type RoleCode = z.infer<typeof roleCode>

const description = z.string().max(200).default('')
const number = z.number().int().min(1).max(999_999)
const code = refersTo('role-code', number)
const managesCodes = requiresPermission('ps-rolecodesys')

export const getRoleCodes = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/RoleCode/GetRoleCodes',
  summary: 'Role codes with their meanings.',
  access: requiresPermission('ps-rolecodesys', 'ps-rolesys'),
  effect: 'reads',
  /** Fields: code, name, description. */
  input: filteredPage,
  output: pageOf(roleCode),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
})

export const addRoleCode = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/RoleCode/AddRoleCode',
  summary: 'Adds a role code. 500 is reserved for the rbac variant.',
  access: managesCodes,
  effect: 'changes',
  input: z.object({ code: number, name: givenName, description }),
  output: roleCode,
  errors: ['access.denied', 'entity.taken'],
})

export const editRoleCode = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/RoleCode/EditRoleCode',
  summary: 'Edits the meaning of a role code.',
  access: managesCodes,
  effect: 'changes',
  input: z.object({ code, version, name: givenName, description }),
  output: roleCode,
  errors: ['role-code.not-found', 'entity.stale'],
})

export const deleteRoleCode = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/RoleCode/DeleteRoleCode',
  summary: 'Deletes a role code that no role has.',
  access: managesCodes,
  effect: 'changes',
  input: z.object({ code, version }),
  output: z.object({ deleted: z.number().int().nonnegative() }),
  errors: ['role-code.not-found', 'entity.stale', 'entity.in-use'],
})

export const roleCodesEndpoints = { getRoleCodes, addRoleCode, editRoleCode, deleteRoleCode } as const
