import type { Effect } from '@isotherm/contract/endpoint'
import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { sql } from 'kysely'
import type { ReferenceCheck, ReferencesOf, ReferenceValues } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { covers, narrow, type Scope } from '../../platform/scope/scope.ts'
import { findNamedNodes } from './nodes/named-nodes.pg.ts'
import type { NodeName } from './nodes/node-key.ts'

const numbersOf = (values: ReferenceValues): number[] => values.filter((value) => typeof value === 'number')

const isOpen = (scope: Scope, path: string, effect: Effect): boolean =>
  effect === 'changes' ? covers(scope, path) : narrow(scope, path).length > 0

/**
 * Checks the nodes that calls refer to. A call that reads may refer to ancestors of the scope; a call that changes
 * needs nodes inside the scope.
 */
export function createNetworkReferences(
  db: Database,
): ReferencesOf<'node' | 'node-around' | 'group' | 'sub-user'> {
  const node: ReferenceCheck = async ({ scope }, values, effect) => {
    const names = new Map<NodeKey, NodeName>()
    for (const key of values.map(String)) {
      const name = parseNodeKey(key)
      if (name.kind === 'invalid') return false
      // The root has no row; it means everything the caller is granted.
      if (name.kind === 'root' && effect === 'changes' && scope.kind !== 'all') return false
      if (name.kind !== 'root') names.set(key, name)
    }
    if (names.size === 0) return true
    const found = await findNamedNodes(db, [...names.values()])
    return found.length === names.size && found.every(({ path }) => isOpen(scope, path, effect))
  }

  return {
    node,
    'node-around': (caller, values) => node(caller, values, 'reads'),
    'sub-user': node,
    async group({ scope }, values, effect) {
      const ids = numbersOf(values)
      const { rows } = await sql<{ path: string }>`
        select path from node where id = any(${ids}::bigint[]) and kind in ('project', 'group')`.execute(db)
      return (
        ids.length === values.length &&
        rows.length === ids.length &&
        rows.every(({ path }) => isOpen(scope, path, effect))
      )
    },
  }
}
