import type { ControlLimits } from '@isotherm/contract/command'
import { getControlLimits, setControlLimits } from '@isotherm/contract/endpoints/valve-holds'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

export const limitsKey = ['valves', 'limits'] as const

/** What is set on each of the nodes themselves, in the order asked for. */
export const limitsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...limitsKey, nodes],
    queryFn: async ({ signal }) => (await call(getControlLimits, { nodes: [...nodes] }, { signal })).datalist,
    enabled: nodes.length > 0,
  })

/** Sets what commands may ask below a node in place of what was seen; what is left out is not limited there. */
export const saveLimits = (node: NodeKey, version: number, limits: ControlLimits) =>
  call(setControlLimits, { node, version, ...limits })
