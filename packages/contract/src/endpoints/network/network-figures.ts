import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { networkFigures } from '../../network/network-figures.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

export const getNetworkFigures = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetNetworkFigures',
  summary:
    'Present figures of the valves, meters, rooms and stations below nodes: counts, distributions of temperatures, heat, and the first stations with their newest values.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({
    /** Subtrees; overlapping parts count once. By default everything granted to the caller. */
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]),
  }),
  output: networkFigures,
  errors: ['node.not-found'],
})

export const networkFiguresEndpoints = { getNetworkFigures } as const
