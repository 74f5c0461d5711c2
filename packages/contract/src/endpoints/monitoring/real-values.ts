import { z } from 'zod'
import { device, deviceKind, deviceState } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { filter, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Pages that show live devices. */
const watching = requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory')

/** A device with its newest values; without `state` it has not been heard of for days. */
export const realDevice = z.object({ device, state: deviceState.optional() })
export type RealDevice = z.infer<typeof realDevice>

const kinds = z.array(deviceKind).min(1).default(deviceKind.options)
const group = refersTo('group', z.number().int().positive())

/** What the three selects of a page choose: each narrows the one before it. Nothing chosen is everything granted. */
const threeSelects = {
  projectId: group.optional(),
  groupId: group.optional(),
  /** Of a sub-user. */
  uuid: refersTo('sub-user', z.string().min(1).max(64)).optional(),
  kinds,
  /**
   * On id, imei, radioImei, meterNo, name, kind, model, description, parentids, nestaddr, periodS, on ts and
   * quality of the newest values, and on any metric by its name. A device without the value does not match.
   * Conditions on newest values together with such on columns look at no more than 100,000 devices that match
   * the latter, and pages end where 50,000 in the order asked for were looked at: filter.too-wide.
   */
  filter: filter.default([]),
  limiter: limiter.default({ page: 1, size: 100 }),
}

export const getThreeSelectNewRealDev = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetThreeSelectNewRealDev',
  summary:
    'Devices of a project, group or sub-user that match a filter with their newest values, in tree order.',
  access: watching,
  effect: 'reads',
  input: z.object(threeSelects),
  /** `total` counts the devices in use that match, with the newest values they had when they were counted. */
  output: pageOf(realDevice),
  errors: ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern', 'filter.too-wide'],
})

export const getThreeSelectNewRealDevOrderBy = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetThreeSelectNewRealDevOrderBy',
  summary:
    'The same ordered by a column or a metric; devices without the value come last either way and count in the total.',
  access: watching,
  effect: 'reads',
  input: z.object({
    ...threeSelects,
    /** Anything the filter may be on. */
    orderBy: z.string().min(1).max(64),
    desc: z.boolean().default(false),
  }),
  /** `total` counts the devices in use that match, with the newest values they had when they were counted. */
  output: pageOf(realDevice),
  errors: ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern', 'filter.too-wide'],
})

/** A node of the tree with the devices that stand on it. */
export const nodeRealDevices = z.object({
  id: nodeKey,
  label: z.string(),
  level: z.number().int(),
  /** Comma-joined ids of its ancestors. */
  parentids: z.string(),
  nestaddr: z.string(),
  devices: z.array(realDevice),
})
export type NodeRealDevices = z.infer<typeof nodeRealDevices>

export const getDataLastFromPrjTree = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ZgetDataLastFromPrjTree',
  summary:
    'Newest values of the devices below tree nodes, by the node they stand on, in tree order. Pages are of devices: a node may go on in the next.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).max(2_000),
    kinds,
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  /** `total` counts devices. */
  output: pageOf(nodeRealDevices),
  errors: ['node.not-found'],
})

export const rbacGetDataLastFromLeafs = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/RbacGetDataLastFromLeafs',
  summary: 'Newest values of the devices on the given leaf nodes, and of devices given by themselves.',
  access: watching,
  effect: 'reads',
  input: z
    .object({
      nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]),
      deviceIds: z.array(refersTo('device', z.number().int().positive())).max(1_000).default([]),
      kinds,
      limiter: limiter.default({ page: 1, size: 1_000 }),
    })
    .refine(({ nodes, deviceIds }) => nodes.length + deviceIds.length > 0, {
      error: 'neither nodes nor deviceIds',
      path: ['nodes'],
    }),
  output: pageOf(realDevice),
  errors: ['node.not-found', 'device.not-found'],
})

export const realValuesEndpoints = {
  getThreeSelectNewRealDev,
  getThreeSelectNewRealDevOrderBy,
  getDataLastFromPrjTree,
  rbacGetDataLastFromLeafs,
} as const
