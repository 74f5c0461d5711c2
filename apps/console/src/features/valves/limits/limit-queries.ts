import type { ControlLimits } from '@isotherm/contract/command'
import { getControlLimits, setControlLimits } from '@isotherm/contract/endpoints/control/valve-holds'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

export const limitsKey = ['valves', 'limits'] as const

/** The limits set on each node itself, in the order of `nodes`. */
export const limitsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...limitsKey, nodes],
    queryFn: async ({ signal }) => (await call(getControlLimits, { nodes: [...nodes] }, { signal })).datalist,
    enabled: nodes.length > 0,
  })

/** Sets the limits of a node if their version is still `version`. A missing limit means no limit on this node. */
export const saveLimits = (node: NodeKey, version: number, limits: ControlLimits) =>
  call(setControlLimits, { node, version, ...limits })
