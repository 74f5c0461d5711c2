import { z } from 'zod'
import { defineEndpoint, requiresPermission, sessionAccess } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { heatedArea } from '../../network/heated-area.ts'
import { refersTo } from '../../refs.ts'
import { ADDRESS_SEPARATOR, addressName, nodeName } from '../../tree.ts'
import { vauser } from './network.ts'

const uuid = refersTo('sub-user', z.uuid())
const parentId = refersTo('group', z.number().int().positive())

/** A unit, or a unit and one of its households: 1单元 or 1单元-301. */
export const address = z
  .string()
  .max(121)
  .refine(
    (text) => {
      const parts = text.split(ADDRESS_SEPARATOR)
      return parts.length <= 2 && parts.every((part) => addressName.safeParse(part).success)
    },
    { error: 'an address is a unit, or a unit and a household joined by a hyphen' },
  )

/** Addresses of a sub-user, without duplicates. */
const addrlist = z.array(address).max(5_000)

/** Heated floor area of an address, m²; null removes it. */
const areas = z.array(z.object({ address, areaM2: heatedArea.nullable() })).max(5_000)

const changesVausers = {
  backend: 'ht-api',
  method: 'POST',
  access: requiresPermission('ps-oraigionsys'),
  effect: 'changes',
} as const

const adds = {
  ...changesVausers,
  input: z.object({
    name: nodeName,
    /** Parent group. */
    parentId,
    addrlist: addrlist.default([]),
    areas: areas.default([]),
    /** Marks it as the one sub-user of its project for tests. */
    test: z.boolean().default(false),
  }),
  output: vauser,
  errors: ['node.not-found', 'node.bad-place', 'entity.taken'],
} as const

export const addSubUser = defineEndpoint({
  ...adds,
  path: '/Vauser/AddSubUser',
  summary: 'Adds a sub-user (building) with the addresses of its units and households.',
})

export const insertVauser = defineEndpoint({
  ...adds,
  path: '/CtlDev/InsertVauser',
  summary: 'Adds a sub-user (building), like AddSubUser.',
})

export const editSubUser = defineEndpoint({
  ...changesVausers,
  path: '/Vauser/EditSubUser',
  summary:
    'Renames or moves a sub-user, or changes its addresses. An address with devices cannot be removed.',
  input: z.object({
    uuid,
    version,
    name: nodeName.optional(),
    parentId: parentId.optional(),
    /** All its addresses after the call. */
    addrlist: addrlist.optional(),
    areas: areas.default([]),
    test: z.boolean().optional(),
  }),
  output: vauser,
  errors: [
    'node.not-found',
    'node.bad-place',
    'node.not-empty',
    'entity.in-use',
    'entity.stale',
    'entity.taken',
    'irrigation.sensor-attached',
  ],
})

export const deleteVauser = defineEndpoint({
  ...changesVausers,
  path: '/Vauser/DeleteVauser',
  summary: 'Removes a sub-user with its addresses. No device may be on them or control them.',
  input: z.object({ uuid, version }),
  output: z.object({}),
  errors: ['node.not-found', 'node.not-empty', 'entity.in-use', 'entity.stale'],
})

export const getLikeSubUser = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Vauser/GetLikeSubUser',
  summary: 'Sub-users whose name contains a text.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({
    name: z.string().min(1).max(60),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(vauser),
  errors: [],
})

export const vausersEndpoints = {
  addSubUser,
  insertVauser,
  editSubUser,
  deleteVauser,
  getLikeSubUser,
} as const
