import type { InputOf } from '@isotherm/contract/endpoint'
import { getHeatedNodes, type HeatedNode, updateEmitters } from '@isotherm/contract/endpoints/emitters'
import { getPipes, type Pipe, updatePipes } from '@isotherm/contract/endpoints/pipes'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { balancingKeys } from '../balancing-keys.ts'

const PAGE = 1_000
/** A loop has some thousands of either. */
const MOST_PAGES = 10

/** All pages of a list. */
async function listAll<Row>(
  read: (page: number) => Promise<{ readonly datalist: readonly Row[]; readonly total: number }>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { datalist, total } = await read(page)
    rows.push(...datalist)
    if (datalist.length === 0 || rows.length >= total) break
  }
  return rows
}

const networkKey = [...balancingKeys.all, 'network'] as const

/** The pipes that are recorded at and below a node. */
export const pipesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...networkKey, 'pipes', node],
    queryFn: ({ signal }): Promise<readonly Pipe[]> =>
      listAll((page) => call(getPipes, { node, limiter: { page, size: PAGE } }, { signal, quiet: true })),
  })

/** The nodes at and below a node, down to units, with what heats their rooms. */
export const heatedNodesQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...networkKey, 'nodes', node],
    queryFn: ({ signal }): Promise<readonly HeatedNode[]> =>
      listAll((page) =>
        call(getHeatedNodes, { node, limiter: { page, size: PAGE } }, { signal, quiet: true }),
      ),
  })

export const networkKeys = networkKey

export const savePipe = (item: InputOf<typeof updatePipes>['items'][number]) =>
  call(updatePipes, { items: [item] })

export const saveEmitter = (item: InputOf<typeof updateEmitters>['items'][number]) =>
  call(updateEmitters, { items: [item] })
