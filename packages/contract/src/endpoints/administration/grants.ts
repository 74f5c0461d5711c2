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

/** What was granted: a node with all below it, now and later, or a device by itself on that node. */
export const grant = z.object({
  node: nodeKey,
  /** Name of the node. */
  label: z.string(),
  level: z.number().int().min(1).max(10),
  /** Names from the project down to the node, comma-joined. */
  nestaddr: z.string(),
  device: z
    .object({ id: z.number().int().positive(), imei: z.string(), name: z.string(), kind: deviceKind })
    .optional(),
})
export type Grant = z.infer<typeof grant>

/** A device that an account may see, by whatever grant. */
export const grantedDevice = z.object({
  id: z.number().int().positive(),
  imei: z.string(),
  name: z.string(),
  kind: deviceKind,
  model: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** True when it is granted by itself, false when a node above it is. */
  isGrantedItself: z.boolean(),
})
export type GrantedDevice = z.infer<typeof grantedDevice>

/** The account whose grants are told; its version is what a change of them is made from. */
const ofAccount = {
  uid: accountId,
  account: z.string(),
  /** Sees everything, whatever is granted. */
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
  summary: 'What a sub-account may use: its roles, its modules and what it is granted.',
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
    'Devices an account may see, by a filter on id, imei, name, kind, model, nestaddr, parentids or projectid.',
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
  summary: 'Devices an account may see, a page at a time, in tree order.',
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

/** Ids of devices of one sub-account in one answer. */
export const MOST_DEVICE_IDS = 1_000

export const getSuidAndDeviceByPuid = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/vn/deviceGroup/getSuidAndDeviceByPuid',
  summary: 'Sub-accounts of an account, each with the devices it may see.',
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
        /** In tree order, the first MOST_DEVICE_IDS. */
        deviceIds: z.array(z.number().int().positive()).max(MOST_DEVICE_IDS),
        /** All of them. */
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
  summary: 'Which sub-accounts may see a device, and by which grant.',
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
      /** The device itself is granted, or a node above it. */
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
  /** Nodes and devices granted to it from now on. */
  total: count,
})

export const insertUserDevByTk = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/InsertUserDevByTk',
  summary: 'Grants further nodes and devices to an account, out of the caller’s own.',
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
  summary: 'Grants further nodes and devices to a sub-account, out of its parent’s.',
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
  summary: 'Replaces what an account is granted; its sub-accounts keep of theirs what lies within.',
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
    'Takes granted nodes and devices from an account; its sub-accounts keep of theirs what lies within the rest.',
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
  summary: 'Takes granted nodes and devices from a sub-account.',
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
