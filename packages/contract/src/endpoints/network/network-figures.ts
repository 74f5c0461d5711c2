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
    'How the valves, meters, rooms and stations below nodes are at present: counts, distributions of temperatures, heat, and the first stations with their newest values.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({
    /** Subtrees to look in, what lies in several counts once; none means everything the caller is granted. */
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]),
  }),
  output: networkFigures,
  errors: ['node.not-found'],
})

export const networkFiguresEndpoints = { getNetworkFigures } as const
