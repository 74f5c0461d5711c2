import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { filteredPage, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { moduleItem } from './session.ts'
import { grantedDevices, grantedNodes, managesUsers, roleOfUser, uid, userAbility } from './users.ts'

const accountId = z.number().int().positive()
const count = z.number().int().nonnegative()
const token = z.string().max(200).optional()

/** A grant: a node with everything below it, now and later, or a single device on that node. */
export const grant = z.object({
  node: nodeKey,
  /** Name of the node. */
  label: z.string(),
  level: z.number().int().min(1).max(10),
  /** Names from the project down to the node, joined by commas. */
  nestaddr: z.string(),
  device: z
    .object({ id: z.number().int().positive(), imei: z.string(), name: z.string(), kind: deviceKind })
    .optional(),
})
export type Grant = z.infer<typeof grant>

/** A device that an account can see by any grant. */
export const grantedDevice = z.object({
  id: z.number().int().positive(),
  imei: z.string(),
  name: z.string(),
  kind: deviceKind,
  model: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** True if the device itself is granted, false if a node above it is. */
  isGrantedItself: z.boolean(),
})
export type GrantedDevice = z.infer<typeof grantedDevice>

/** The account of the grants. A change of the grants is based on its version. */
const ofAccount = {
  uid: accountId,
  account: z.string(),
  /** Sees everything, independent of grants. */
  seesAll: z.boolean(),
  version,
  abilities: z.array(userAbility),
}

export const getUserDevSubNestAddrByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetUserDevSubNestAddrByTk',
  summary: 'Nodes and devices granted to an account, with the names of all above them.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({ uid, limiter: limiter.default({ page: 1, size: 1_000 }) }),
  output: pageOf(grant).extend(ofAccount),
  errors: ['account.not-found'],
})

export const getSubUserResByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetSubUserResByTK',
  summary: 'Roles, modules and grants of a sub-account.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({ uid, limiter: limiter.default({ page: 1, size: 1_000 }) }),
  output: pageOf(grant).extend({ ...ofAccount, roles: z.array(roleOfUser), modules: z.array(moduleItem) }),
  errors: ['account.not-found'],
})

export const getUserDevCondByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetUserDevCondByTk',
  summary:
    'Devices an account can see, by a filter on id, imei, name, kind, model, nestaddr, parentids or projectid.',
  access: managesUsers,
  effect: 'reads',
  input: filteredPage.extend({ uid }),
  output: pageOf(grantedDevice),
  errors: ['account.not-found', 'filter.unknown-field', 'filter.bad-pattern'],
})

export const getDevsForVn = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/dev/getDevsForVn',
  summary: 'Devices an account can see, in pages, in tree order.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({
    token,
    uid,
    pageNo: z.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.number().int().min(1).max(1_000).default(1_000),
  }),
  output: z.object({ list: z.array(grantedDevice), total: count }),
  errors: ['account.not-found'],
})

/** Maximum number of ids of devices of one sub-account in one answer. */
export const MAX_DEVICE_IDS = 1_000

export const getSuidAndDeviceByPuid = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/deviceGroup/getSuidAndDeviceByPuid',
  summary: 'Sub-accounts of an account, each with the devices it can see.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({
    token,
    uid,
    pageNo: z.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.number().int().min(1).max(100).default(20),
  }),
  output: z.object({
    list: z.array(
      z.object({
        suid: accountId,
        account: z.string(),
        name: z.string(),
        version,
        /** In tree order, the first MAX_DEVICE_IDS. */
        deviceIds: z.array(z.number().int().positive()).max(MAX_DEVICE_IDS),
        /** Number of all. */
        devCount: count,
      }),
    ),
    total: count,
  }),
  errors: ['account.not-found'],
})

export const wxGetSubUser4DevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/WxGetSubUser4DevByTk',
  summary: 'Sub-accounts that can see a device, and by which grant.',
  access: managesUsers,
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()),
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  output: pageOf(
    z.object({
      uid: accountId,
      account: z.string(),
      name: z.string(),
      version,
      /** Grant of the device itself, or of a node above it. */
      by: z.enum(['device', 'node']),
      node: nodeKey,
      nestaddr: z.string(),
    }),
  ),
  errors: ['device.not-found'],
})

const change = z
  .object({ uid, version, nodes: grantedNodes.default([]), deviceIds: grantedDevices.default([]) })
  .refine(({ nodes, deviceIds }) => nodes.length + deviceIds.length > 0, {
    error: 'neither nodes nor devices are named',
    path: ['nodes'],
  })
const changed = z.object({
  uid: accountId,
  version,
  /** All its granted nodes and devices after the call. */
  total: count,
})

export const insertUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertUserDevByTk',
  summary: 'Grants further nodes and devices to an account, from those of the caller.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'account.yourself', 'account.beyond-yours'],
})

export const insertSubUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertSubUserDevByTk',
  summary: 'Grants further nodes and devices to a sub-account, from those of its parent.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'account.not-found', 'account.yourself', 'account.beyond-yours'],
})

export const updateUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/UpdateUserDevByTk',
  summary: 'Replaces the grants of an account. Its sub-accounts lose what is outside the new grants.',
  access: managesUsers,
  effect: 'changes',
  input: z.object({ uid, version, nodes: grantedNodes, deviceIds: grantedDevices }),
  output: changed,
  errors: ['entity.stale', 'account.yourself', 'account.beyond-yours'],
})

export const deleteUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/DeleteUserDevByTk',
  summary:
    'Removes granted nodes and devices from an account. Its sub-accounts lose what is outside the remaining grants.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'node.not-found', 'device.not-found', 'account.yourself'],
})

export const deleteSubUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/DeleteSubUserDevByTk',
  summary: 'Removes granted nodes and devices from a sub-account.',
  access: managesUsers,
  effect: 'changes',
  input: change,
  output: changed,
  errors: ['entity.stale', 'node.not-found', 'device.not-found', 'account.not-found', 'account.yourself'],
})

export const grantsEndpoints = {
  getUserDevSubNestAddrByTk,
  getSubUserResByTk,
  getUserDevCondByTk,
  getDevsForVn,
  getSuidAndDeviceByPuid,
  wxGetSubUser4DevByTk,
  insertUserDevByTk,
  insertSubUserDevByTk,
  updateUserDevByTk,
  deleteUserDevByTk,
  deleteSubUserDevByTk,
} as const
