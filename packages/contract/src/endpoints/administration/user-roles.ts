import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { givenRoles, managesUsers, roleOfUser, uid } from './users.ts'

/** Numbers in a query are text. */
const token = z.string().max(200).optional()

/** Assignment of a role to an account. */
export const userRole = z.object({
  uid: z.number().int().positive(),
  account: z.string(),
  name: z.string(),
  roleId: z.number().int().positive(),
  roleName: z.string(),
  roleCode: z.number().int(),
})

export const getUserRoles = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/UserRole/GetUserRoles',
  summary: 'Roles of an account.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({ token, uid: refersTo('account', z.coerce.number<string>().int().positive()) }),
  output: z.object({
    uid: z.number().int().positive(),
    account: z.string(),
    /** Version of the account, on which a change of its roles is based. */
    version,
    datalist: z.array(roleOfUser),
  }),
  errors: ['account.not-found'],
})

export const getAllUserRoles = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/UserRole/GetAllUserRoles',
  summary: 'Roles of the accounts that the caller can see, in pages.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({
    token,
    pageNo: z.coerce.number<string>().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number<string>().int().min(1).max(1_000).default(1_000),
  }),
  output: pageOf(userRole),
  errors: [],
})

const change = z.object({ uid, version, roleIds: givenRoles.min(1) })
const changed = z.object({
  uid: z.number().int().positive(),
  version,
  /** All its roles after the call. */
  datalist: z.array(roleOfUser),
})

export const addUserRole = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/UserRole/AddUserRole',
  summary: 'Adds roles to an account and ends its sessions, so that it signs in with them.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'account.yourself', 'account.beyond-yours'],
})

export const insertUserRoleByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertUserRoleByTk',
  summary: 'Adds roles within the caller’s own permissions to a sub-account of the caller.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'account.not-found', 'account.yourself', 'account.beyond-yours'],
})

export const delUserRole = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/UserRole/DelUserRole',
  summary:
    'Removes roles from an account, and from its sub-accounts those that it then no longer covers; their sessions end.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'role.not-found', 'account.yourself', 'account.last-administrator'],
})

export const userRolesEndpoints = {
  getUserRoles,
  getAllUserRoles,
  addUserRole,
  insertUserRoleByTk,
  delUserRole,
} as const
