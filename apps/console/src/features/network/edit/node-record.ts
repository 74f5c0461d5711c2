import { getNodeRecord, type NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { addProject } from '@isotherm/contract/endpoints/network/projects'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import type { EditKind } from '../../../shared/nodes/tree-edit.ts'
import { useSession } from '../../../shared/session/session-store.ts'

/** The newest record of a node: another user may have changed it, so it is never served from the cache. */
export const nodeRecordQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: ['node-record', node],
    queryFn: ({ signal }) => call(getNodeRecord, { node }, { signal, quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })

/** What a record allows: units and households are edited with their building. */
export function listEditKinds({ nodetype, abilities }: NodeRecord): readonly EditKind[] {
  const mayEdit = abilities.includes('edit')
  return [
    ...(abilities.includes('add') ? (['add'] as const) : []),
    ...(mayEdit ? (['edit'] as const) : []),
    ...(mayEdit && (nodetype === 'group' || nodetype === 'user') ? (['move'] as const) : []),
    ...(abilities.includes('remove') && nodetype !== 'addr' ? (['remove'] as const) : []),
  ]
}

/** What may be done at the root, by permission: only projects are added there. */
export const listRootKinds = (permitted: ReadonlySet<string>): readonly EditKind[] =>
  addProject.access.anyOf.some((permission) => permitted.has(permission)) ? ['add'] : []

/** Whether the user may edit a node of the tree at all. The server decides for each node. */
export const useMayArrange = (node?: NodeKey): boolean =>
  useSession(({ permitted }) =>
    node === ROOT_KEY
      ? listRootKinds(permitted).length > 0
      : getNodeRecord.access.anyOf.some((permission) => permitted.has(permission)),
  )
