import { ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import type { EditKind } from '../../../shared/nodes/tree-edit.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { listEditKinds, nodeRecordQuery, useMayArrange } from '../edit/node-record.ts'

const allKinds: readonly EditKind[] = ['add', 'edit', 'move', 'remove']

/** What the user may do with a node, and whether that is still unknown. */
export function useEditKinds(nodeKey: string): {
  readonly kinds: readonly EditKind[]
  readonly isKnown: boolean
} {
  const isRoot = nodeKey === ROOT_KEY
  const mayArrange = useMayArrange(nodeKey)
  const permitted = useSession((session) => session.permitted)
  const record = useQuery({ ...nodeRecordQuery(nodeKey), enabled: mayArrange && !isRoot })
  if (!mayArrange || record.isError) return { kinds: [], isKnown: true }
  if (isRoot) return { kinds: ['add'], isKnown: true }
  return record.data
    ? { kinds: listEditKinds(record.data, permitted), isKnown: true }
    : { kinds: allKinds, isKnown: false }
}
