import { z } from 'zod'
import { controlLimits, valveHold } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

const deviceId = refersTo('device', z.number().int().positive())

export const getHolds = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetHolds',
  summary: 'Holds on valves below the given nodes or on the given valves, ordered by their end.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).optional(),
    deviceIds: z.array(deviceId).max(1_000).optional(),
    limiter,
  }),
  output: pageOf(valveHold),
  errors: ['node.not-found', 'device.not-found'],
})

export const releaseHolds = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/ReleaseHolds',
  summary: 'Ends holds early. The valves do not move.',
  access: requiresPermission('pe-fmcontrol'),
  effect: 'changes',
  input: z.object({
    ids: z.array(refersTo('hold', z.number().int().positive())).min(1).max(1_000),
  }),
  output: z.object({ ids: z.array(z.number().int()) }),
  errors: ['hold.not-found'],
})

/** Version of the limits of a node; 0 if none were ever set. */
const limitsVersion = z.number().int().nonnegative()

const nodeLimits = z.object({
  node: nodeKey,
  version: limitsVersion,
  ...controlLimits.shape,
  /** What the caller can do with them; nothing on a node that is not granted as a whole. */
  abilities: z.array(z.enum(['set'])),
})
export type NodeLimits = z.infer<typeof nodeLimits>

export const getControlLimits = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetControlLimits',
  summary: 'Limits of commands to the valves below each of the given nodes, as set on the node itself.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).min(1).max(1_000),
  }),
  output: z.object({ datalist: z.array(nodeLimits) }),
  errors: ['node.not-found'],
})

export const setControlLimits = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetControlLimits',
  summary: 'Sets the limits of commands to the valves below a node. An absent limit does not apply.',
  access: requiresPermission('ps-oraigionsys', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({ node: refersTo('node', nodeKey), version: limitsVersion, ...controlLimits.shape }),
  output: nodeLimits,
  errors: ['node.not-found', 'entity.stale'],
})

export const valveHoldsEndpoints = { getHolds, releaseHolds, getControlLimits, setControlLimits } as const
