import { z } from 'zod'
import { device, deviceKinds, deviceState } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

/** Subtrees; an empty list means everything granted to the caller. */
const nodes = z.array(refersTo('node', nodeKey)).max(2_000)
const deviceId = refersTo('device', z.number().int().positive())

/** Pages that show live devices. */
const watching = requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory')

export const getDevsFromPrjTree = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ZgetDevsFromPrjTree',
  summary: 'Devices of the given kinds below the given tree nodes, in tree order.',
  access: watching,
  effect: 'reads',
  input: z.object({ nodes, kinds: deviceKinds.min(1), limiter }),
  output: pageOf(device),
  errors: ['node.not-found'],
})

export const getDataLastFromNodeList = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ZgetDataLastFromNodeList',
  summary: 'Newest values of the devices of the given kinds below the given tree nodes.',
  access: watching,
  effect: 'reads',
  input: z.object({ nodes, kinds: deviceKinds.min(1), limiter }),
  output: pageOf(deviceState),
  errors: ['node.not-found'],
})

/** A metric of one device over time. */
export const series = z.object({
  deviceId: z.number().int(),
  metric: z.string(),
  /** Rows of [Unix ms, value, quality bits], ascending. Downsampling keeps extremes. */
  points: z.array(z.tuple([z.number().int(), z.number(), z.number().int()])),
  /** True if points were omitted to keep within the requested number. */
  downsampled: z.boolean(),
  /**
   * Source of the points: the readings, or the extremes of hours or local days if points are further apart than these. The
   * extremes do not contain suspect readings.
   */
  level: z.enum(['raw', 'hour', 'day']).optional(),
})
export type Series = z.infer<typeof series>

export const MAX_HISTORY_DAYS = 1_830
/** Maximum number of points of all curves in one answer. */
const MAX_HISTORY_POINTS = 400_000

const history = {
  backend: 'ht-api',
  method: 'POST',
  access: requiresPermission('pe-fmhistory', 'pe-fmcontrol', 'pr-rthistory', 'pd-devdebug'),
  effect: 'reads',
  input: z
    .object({
      deviceIds: z.array(deviceId).min(1).max(50),
      metrics: z.array(z.string().max(32)).min(1).max(16),
      /** Unix ms, included. */
      from: z.number().int(),
      /** Unix ms, excluded. */
      to: z.number().int(),
      maxPoints: z.number().int().min(10).max(20_000),
    })
    .refine(
      ({ deviceIds, metrics, maxPoints }) =>
        deviceIds.length * metrics.length * maxPoints <= MAX_HISTORY_POINTS,
      {
        error: `more than ${MAX_HISTORY_POINTS} points requested at once`,
        path: ['maxPoints'],
      },
    ),
  output: z.object({ series: z.array(series) }),
  errors: ['device.not-found', 'history.range-too-large'],
} as const

export const getDataHisFromDevs = defineEndpoint({
  ...history,
  path: '/Dev/ZgetDataHisFromDevs',
  summary: 'Readings of devices over a half-open time range, downsampled to a number of points per curve.',
})

export const rbacGetDataHisFromDevs = defineEndpoint({
  ...history,
  path: '/Dev/RbacGetDataHisFromDevs',
  summary: "Readings of the caller's granted devices over a time range, for the rbac variant.",
})

export const telemetryEndpoints = {
  getDevsFromPrjTree,
  getDataLastFromNodeList,
  getDataHisFromDevs,
  rbacGetDataHisFromDevs,
} as const
