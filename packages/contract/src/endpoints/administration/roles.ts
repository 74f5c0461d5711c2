import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'

const roleId = refersTo('role', z.number().int().positive())
const company = refersTo('company', z.number().int().positive())
const moduleIds = z.array(refersTo('given-module', z.number().int().positive())).max(500)

/** A set of permissions for accounts. */
export const role = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  /** Role code (rcode). */
  code: z.number().int(),
  codeName: z.string(),
  description: z.string(),
  /** Company of the role; null for a role of the provider, which is for every company. */
  companyId: z.number().int().positive().nullable(),
  companyName: z.string().nullable(),
  /** True for a role of a new installation: it cannot be deleted. */
  builtIn: z.boolean(),
  /** Whether its accounts must sign in with a second factor. */
  needsSecondFactor: z.boolean(),
  /** Ids and urls of the console modules that it permits, in the same order. */
  moduleIds: z.array(z.number().int().positive()),
  urls: z.array(z.string()),
  /** Number of accounts of the caller's company that have it. */
  accountCount: z.number().int().nonnegative(),
  version,
  abilities: z.array(z.enum(['edit', 'delete', 'give'])),
})
export type Role = z.infer<typeof role>

const roleFields = {
  name: givenName,
  code: refersTo('given-role-code', z.number().int().min(1).max(999_999)),
  description: z.string().max(200).default(''),
  /** Absent: no for a new role, unchanged for an existing one. */
  needsSecondFactor: z.boolean().optional(),
  moduleIds,
}

const managesRoles = requiresPermission('ps-rolesys')
const readsRoles = requiresPermission('ps-rolesys', 'pu-usersetting', 'ps-usersys', 'ps-htusersys')
const filterErrors = ['filter.unknown-field', 'filter.bad-pattern'] as const
const changeErrors = ['entity.stale', 'entity.taken', 'entity.built-in', 'account.beyond-yours'] as const
const notFound = ['role.not-found', 'module.not-found', 'role-code.not-found'] as const

export const getAllRolesP = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/GetAllRolesP',
  summary:
    "Roles that the caller can see, with their modules: those of the provider and of the caller's companies.",
  access: readsRoles,
  effect: 'reads',
  /** Fields: id, name, code, description, companyId, builtIn. */
  input: filteredPage,
  output: pageOf(role),
  errors: filterErrors,
})

/** Roles by a part of their name; by default all. */
const byName = z.object({
  name: z.string().max(60).default(''),
  limiter: limiter.default({ page: 1, size: 1_000 }),
})

export const getRoleByOwnName = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/GetRoleByOwnName',
  summary: "Roles of the caller's company by name; for provider staff the roles of the provider.",
  access: readsRoles,
  effect: 'reads',
  input: byName,
  output: pageOf(role),
  errors: [],
})

export const getRoleByOtherName = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/GetRoleByOtherName',
  summary:
    "Roles of others by name: for company staff the provider's, for provider staff those of companies.",
  access: readsRoles,
  effect: 'reads',
  input: byName,
  output: pageOf(role),
  errors: [],
})

export const addRole = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/AddRole',
  summary:
    "Adds a role to the caller's company; provider staff add it to the named company, or for every company.",
  access: managesRoles,
  effect: 'changes',
  input: z.object({ ...roleFields, companyId: company.optional() }),
  output: role,
  errors: [...notFound, 'company.not-found', 'entity.taken', 'account.beyond-yours'],
})

export const editRoleModule = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/EditRoleModule',
  summary:
    "Edits a role's name, code, description and modules. The caller can only add modules that they have.",
  access: managesRoles,
  effect: 'changes',
  input: z.object({ id: roleId, version, ...roleFields }),
  output: role,
  errors: [...notFound, ...changeErrors],
})

export const deleteRole = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Role/DeleteRole',
  summary: 'Deletes a role that no account has. Built-in roles cannot be deleted.',
  access: managesRoles,
  effect: 'changes',
  input: z.object({ id: roleId, version }),
  output: z.object({ deleted: z.number().int().nonnegative() }),
  errors: ['role.not-found', ...changeErrors, 'entity.in-use'],
})

const modulesOfRole = z.object({ roleId, version, moduleIds })

export const updateRoleResByTK = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/UpdateRoleResByTK',
  summary: "Replaces a role's modules.",
  access: managesRoles,
  effect: 'changes',
  input: modulesOfRole,
  output: role,
  errors: [...notFound, ...changeErrors],
})

export const insertRoleResPerByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertRoleResPerByTk',
  summary: 'Adds modules to a role.',
  access: managesRoles,
  effect: 'changes',
  input: modulesOfRole,
  output: role,
  errors: [...notFound, ...changeErrors],
})

export const rolesEndpoints = {
  getAllRolesP,
  getRoleByOwnName,
  getRoleByOtherName,
  addRole,
  editRoleModule,
  deleteRole,
  updateRoleResByTK,
  insertRoleResPerByTk,
} as const
