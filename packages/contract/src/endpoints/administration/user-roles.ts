import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { givenRoles, managesUsers, roleOfUser, uid } from './users.ts'

/** In a query everything is text. */
const token = z.string().max(200).optional()

/** That an account has a role. */
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
    /** Of the account: what giving or taking a role is made from. */
    version,
    datalist: z.array(roleOfUser),
  }),
  errors: ['account.not-found'],
})

export const getAllUserRoles = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/UserRole/GetAllUserRoles',
  summary: 'Which of the accounts the caller may see has which role, a page at a time.',
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
  /** All its roles from now on. */
  datalist: z.array(roleOfUser),
})

export const addUserRole = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/UserRole/AddUserRole',
  summary: 'Gives an account further roles and ends its sessions, so that it signs in with them.',
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
  summary: 'Gives a sub-account of the caller further roles out of the caller’s own permissions.',
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
    'Takes roles from an account, and from its sub-accounts what goes beyond it then; their sessions end.',
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
