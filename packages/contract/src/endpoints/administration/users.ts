import { z } from 'zod'
import { MAX_PASSWORD_LENGTH } from '../../access/password-rules.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { INVISIBLE, instant, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { userInfo } from './session.ts'

/** Pages for managing users. */
export const managesUsers = requiresPermission('pu-usersetting', 'ps-usersys', 'ps-htusersys')

/** Number of an account. */
export const uid = refersTo('account', z.number().int().positive())

/** Login name of a new account. */
const newAccount = z.string().regex(/^[\p{L}\p{N}._@-]{1,64}$/u)
/** SHA-256 of the UTF-8 password in lower-case hex, computed by the client. */
export const passwordHash = z.string().regex(/^[0-9a-f]{64}$/)
/** The new password itself, which the server checks and does not store. `password` is its hash. */
export const passwordText = z.string().min(1).max(MAX_PASSWORD_LENGTH)
/** Telephone number, digits only; empty for none. */
const tel = z.string().regex(/^(\+?\d{5,20})?$/)
const personName = z
  .string()
  .max(60)
  .regex(new RegExp(String.raw`^[^\s${INVISIBLE}](?:[^${INVISIBLE}]*[^\s${INVISIBLE}])?$`, 'u'))
/** Code that sendVerificationCode sent to the new number; required if an SMS gateway is configured. */
const verificationCode = z.string().regex(/^\d{6}$/)
const token = z.string().max(200).optional()
const flag = z.union([z.literal(0), z.literal(1)])

/** '01' staff of a company, '100' staff of the provider (specification, sections 3 and 9). */
export const usrUserType = z.enum(['01', '100'])

/** A role to be given to an account. The caller must have all its permissions. */
export const givenRoles = z.array(refersTo('given-role', z.number().int().positive())).max(50)
/** Nodes to be granted with everything below them, now and later, and single devices to be granted. */
export const grantedNodes = z.array(refersTo('node', nodeKey)).max(1_000)
export const grantedDevices = z.array(refersTo('device', z.number().int().positive())).max(1_000)

/** What the caller can do with an account, decided on the server. */
export const userAbility = z.enum([
  'edit',
  'enable',
  'remove',
  'reset-password',
  'give-roles',
  'grant',
  'end-sessions',
])
export type UserAbility = z.infer<typeof userAbility>

/** A role of an account. */
export const roleOfUser = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  /** Role code. */
  code: z.number().int(),
})

/** An account (specification, section 3: user info), as shown in user management. */
export const user = userInfo.extend({
  usrUserType,
  enabled: z.boolean(),
  /** Sees the whole tree of every company. */
  seesAll: z.boolean(),
  /** null for staff of the provider. */
  companyId: z.number().int().positive().nullable(),
  organisationId: z.number().int().positive().nullable(),
  /** The account it is a sub-account of. */
  parentId: z.number().int().positive().nullable(),
  roles: z.array(roleOfUser),
  createdAt: instant,
  version,
  abilities: z.array(userAbility),
})
export type User = z.infer<typeof user>

export const getUsers = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/user/getUsers',
  summary: 'Accounts that the caller can see, in pages: all, or the sub-accounts of one account.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({
    token,
    /** Part of an account name, a name or a telephone number. */
    account: z.string().max(64).optional(),
    /** 1: only disabled accounts, 0: only enabled ones. */
    locked: flag.optional(),
    pageNo: z.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.number().int().min(1).max(9_999),
    /** 1: ordered by account name, 0: by name. */
    resultListType: flag.default(1),
    /** Only sub-accounts of this account. */
    subAccount: refersTo('account-name', z.string().min(1).max(64)).optional(),
    /** 1: only sub-accounts, of `subAccount` or by default of the caller. */
    isGetSubAccountInfo: flag.optional(),
    /** 1: also the account whose sub-accounts are requested. */
    isGetUserSelf: flag.optional(),
    /** Only accounts of this kind. */
    usrUserType: usrUserType.optional(),
    /** Kinds to exclude. */
    disReturnusrUserTypeArr: z
      .array(z.union([z.literal(100), z.literal(1)]))
      .max(2)
      .optional(),
    systemId: z.literal(301).optional(),
  }),
  output: z.object({ list: z.array(user), total: z.number().int().nonnegative() }),
  errors: ['account.not-found'],
})

/** Why a new password is refused. */
export const passwordErrors = [
  'account.weak-password',
  'password.too-short',
  'password.few-kinds',
  'password.has-account',
  'password.used-before',
  'password.not-its-hash',
] as const

/** Input of a new account. */
const newUser = {
  account: newAccount,
  password: passwordHash,
  passwordText,
  name: personName,
  tel: tel.default(''),
  verificationCode: verificationCode.optional(),
  roleIds: givenRoles.default([]),
  nodes: grantedNodes.default([]),
  deviceIds: grantedDevices.default([]),
}

/** The added or changed account. */
export const changedUser = z.object({ id: z.number().int().positive(), account: z.string(), version })

export const regUser2 = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/regUser2',
  summary: 'Registers an account of a company or of the provider, with its roles and grants.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({
    token,
    ...newUser,
    usrUserType: usrUserType.default('01'),
    /** The account it becomes a sub-account of. */
    secAccount: refersTo('account-name', z.string().min(1).max(64)).nullable().optional(),
    /** Required if neither the caller nor the rest of the input determines the company. */
    companyId: refersTo('company', z.number().int().positive()).optional(),
    organisationId: refersTo('organisation', z.number().int().positive()).nullable().optional(),
    seesAll: z.boolean().default(false),
  }),
  output: changedUser,
  errors: [
    'entity.taken',
    'account.beyond-yours',
    ...passwordErrors,
    'account.bad-parent',
    'account.not-found',
    'company.not-found',
    'organisation.not-found',
    'verification.wrong',
  ],
})

export const insertUserByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertUserByTk',
  summary: 'Registers a sub-account of the caller, with roles and grants within the caller’s own.',
  access: managesUsers,
  effect: 'changes',
  input: z.object(newUser),
  output: changedUser,
  errors: [
    'entity.taken',
    'account.beyond-yours',
    ...passwordErrors,
    'account.bad-parent',
    'verification.wrong',
  ],
})

export const editUser = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/editUser',
  summary:
    'Changes name, telephone number, organisation, parent or roles of an account. Absent fields do not change.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({
    token,
    id: uid,
    version,
    name: personName.optional(),
    tel: tel.optional(),
    verificationCode: verificationCode.optional(),
    organisationId: refersTo('organisation', z.number().int().positive()).nullable().optional(),
    /** New parent account; null makes it an independent account. */
    secAccount: refersTo('account-name', z.string().min(1).max(64)).nullable().optional(),
    /** All its roles after the call. */
    roleIds: givenRoles.optional(),
    seesAll: z.boolean().optional(),
  }),
  output: changedUser,
  errors: [
    'entity.stale',
    'account.yourself',
    'account.beyond-yours',
    'account.bad-parent',
    'account.last-administrator',
    'organisation.not-found',
    'verification.wrong',
  ],
})

export const editUserEnableState = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/editUserEnableState',
  summary: 'Enables (1) or disables (0) an account. Disabling ends its sessions immediately.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ token, id: uid, state: flag, version: version.optional() }),
  output: changedUser,
  errors: ['entity.stale', 'account.yourself', 'account.last-administrator'],
})

export const deleteUsers = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/user/deleteUsers',
  summary:
    'Deletes accounts with their sessions and grants. An account with sub-accounts can only be deleted together with them.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({
    token,
    items: z
      .array(z.object({ id: uid, version }))
      .min(1)
      .max(100),
  }),
  /** Names of the deleted accounts. */
  output: z.object({ accounts: z.array(z.string()) }),
  errors: ['entity.stale', 'entity.in-use', 'account.yourself', 'account.last-administrator'],
})

export const getSubUserByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetSubUserByTk',
  summary:
    'Sub-accounts of the caller, or of another account, by a filter on id, account, name, tel or enabled.',
  access: managesUsers,
  effect: 'reads',
  input: filteredPage.extend({ uid: uid.optional() }),
  output: pageOf(user),
  errors: ['account.not-found', 'filter.unknown-field', 'filter.bad-pattern'],
})

export const usersEndpoints = {
  getUsers,
  regUser2,
  insertUserByTk,
  editUser,
  editUserEnableState,
  deleteUsers,
  getSubUserByTk,
} as const
