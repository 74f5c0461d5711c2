import { getNodeRecord, type NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { addProject } from '@isotherm/contract/endpoints/network/projects'
import { addSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { type NodeKey, ROOT_KEY, treeLevels } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import type { EditKind } from '../../../shared/nodes/tree-edit.ts'
import { mayCall } from '../../../shared/session/may-call.ts'
import { useSession } from '../../../shared/session/session-store.ts'

/** The newest record of a node: another user may have changed it, so it is never served from the cache. */
export const nodeRecordQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: ['node-record', node],
    queryFn: ({ signal }) => call(getNodeRecord, { node }, { signal, quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })

/**
 * What a record allows: units and households are edited with their building, and only buildings are added to a residential
 * area, which needs a permission of its own.
 */
export function listEditKinds(
  { nodetype, level, abilities }: NodeRecord,
  permitted: ReadonlySet<string>,
): readonly EditKind[] {
  const mayEdit = abilities.includes('edit')
  const mayAdd = level < treeLevels.residentialArea || mayCall(addSubUser, permitted)
  return [
    ...(mayAdd && abilities.includes('add') ? (['add'] as const) : []),
    ...(mayEdit ? (['edit'] as const) : []),
    ...(mayEdit && (nodetype === 'group' || nodetype === 'user') ? (['move'] as const) : []),
    ...(abilities.includes('remove') && nodetype !== 'addr' ? (['remove'] as const) : []),
  ]
}

/** What may be done at the root, by permission: only projects are added there. */
export const listRootKinds = (permitted: ReadonlySet<string>): readonly EditKind[] =>
  mayCall(addProject, permitted) ? ['add'] : []

/** Whether the user may edit a node of the tree at all. The server decides for each node. */
export const useMayArrange = (node?: NodeKey): boolean =>
  useSession(({ permitted }) =>
    node === ROOT_KEY ? listRootKinds(permitted).length > 0 : mayCall(getNodeRecord, permitted),
  )
