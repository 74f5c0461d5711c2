import { z } from 'zod'
import { findingRule } from '../../alarms/finding.ts'
import { device, deviceKind, deviceKinds, devicePresence, deviceState } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { filter, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from '../devices/device-access.ts'

/** Pages that show live devices. */
const watching = requiresPermission(
  'pe-fmreal',
  'pe-fmcontrol',
  'pe-fmhistory',
  'pd-devdebug',
  ...managingDevices.anyOf,
)

/** The history of rooms chooses devices of any kind with the same call. */
const choosing = requiresPermission(...watching.anyOf, 'pr-rthistory')

/** A device with its newest values; `state` is absent if it has not reported for days. */
export const realDevice = z.object({
  device,
  state: deviceState.optional(),
  presence: devicePresence.optional(),
  /** Time of its newest data; of a concentrator: of its newest message. */
  seenAt: instant.optional(),
  /** Firmware that the gateway reported when it connected. */
  firmware: z.string().optional(),
})
export type RealDevice = z.infer<typeof realDevice>

const kinds = deviceKinds.min(1).default(deviceKind.options)
const group = refersTo('group', z.number().int().positive())

/** The three selections of a page; each one narrows the one before. None selected means everything granted. */
const threeSelects = {
  projectId: group.optional(),
  groupId: group.optional(),
  /** Uuid of a sub-user. */
  uuid: refersTo('sub-user', z.string().min(1).max(64)).optional(),
  /** Only devices below these nodes. */
  nodes: z.array(refersTo('node', nodeKey)).max(2_000).optional(),
  kinds,
  /**
   * Part of the name, serial, IMEI or meter number; among more than 100,000 devices as in getDevs.
   */
  text: z.string().max(60).optional(),
  presence: z.array(devicePresence).min(1).max(devicePresence.options.length).optional(),
  /** Only devices with an open finding of one of these rules; requires a permission for findings. */
  rules: z.array(findingRule).min(1).max(findingRule.options.length).optional(),
  /**
   * Fields: id, imei, radioImei, meterNo, name, kind, model, description, parentids, nestaddr, periodS, ts and quality of the
   * newest values, and any metric by its name. A device without the value does not match. If conditions on newest values are
   * combined with conditions on columns, at most 100,000 devices may match the latter, and pages reach at most 50,000 devices
   * in the requested order; otherwise filter.too-wide.
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
  access: choosing,
  effect: 'reads',
  input: z.object(threeSelects),
  /** `total`: number of matching devices in use, by their newest values at the time of counting. */
  output: pageOf(realDevice),
  errors: [
    'node.not-found',
    'filter.unknown-field',
    'filter.bad-pattern',
    'filter.too-wide',
    'access.denied',
  ],
})

export const getThreeSelectNewRealDevOrderBy = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetThreeSelectNewRealDevOrderBy',
  summary:
    'The same, ordered by a column or a metric. Devices without the value come last in both directions and count in the total.',
  access: watching,
  effect: 'reads',
  input: z.object({
    ...threeSelects,
    /** Any field of the filter. */
    orderBy: z.string().min(1).max(64),
    desc: z.boolean().default(false),
  }),
  /** `total`: number of matching devices in use, by their newest values at the time of counting. */
  output: pageOf(realDevice),
  errors: [
    'node.not-found',
    'filter.unknown-field',
    'filter.bad-pattern',
    'filter.too-wide',
    'access.denied',
  ],
})

/** A node of the tree with the devices on it. */
export const nodeRealDevices = z.object({
  id: nodeKey,
  label: z.string(),
  level: z.number().int(),
  /** Ids of its ancestors, joined by commas. */
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
    'Newest values of the devices below tree nodes, by their node, in tree order. Pages count devices: a node can continue on the next page.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).max(2_000),
    kinds,
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  /** `total`: number of devices. */
  output: pageOf(nodeRealDevices),
  errors: ['node.not-found'],
})

export const rbacGetDataLastFromLeafs = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/RbacGetDataLastFromLeafs',
  summary: 'Newest values of the devices on the given leaf nodes and of the given devices.',
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
