import type { InputOf } from '@isotherm/contract/endpoint'
import {
  getHeatedNodes,
  type HeatedNode,
  updateEmitters,
} from '@isotherm/contract/endpoints/network/emitters'
import { getPipes, type Pipe, updatePipes } from '@isotherm/contract/endpoints/network/pipes'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { balancingKeys } from '../balancing-keys.ts'

const networkKey = [...balancingKeys.all, 'network'] as const

/** The pipes that are recorded at and below a node. */
export const pipesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...networkKey, 'pipes', node],
    queryFn: ({ signal }): Promise<readonly Pipe[]> =>
      listAll(
        (limiter) => call(getPipes, { node, limiter }, { signal, quiet: true }),
        ({ from, to }) => `${from} ${to}`,
      ),
  })

/** The nodes at and below a node, down to units, with their emitters. */
export const heatedNodesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...networkKey, 'nodes', node],
    queryFn: ({ signal }): Promise<readonly HeatedNode[]> =>
      listAll(
        (limiter) => call(getHeatedNodes, { node, limiter }, { signal, quiet: true }),
        (each) => each.node,
      ),
  })

export const networkKeys = networkKey

export const savePipe = (item: InputOf<typeof updatePipes>['items'][number]) =>
  call(updatePipes, { items: [item] })

export const saveEmitter = (item: InputOf<typeof updateEmitters>['items'][number]) =>
  call(updateEmitters, { items: [item] })
