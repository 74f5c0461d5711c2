import type { NodeKey } from '@isotherm/contract/tree'
import type { Scope } from '../../platform/scope.ts'
import type { StructureChange } from '../network/index.ts'
import type { LiveNeeds } from './needs.ts'

/** As many parents as the contract lets one event name. */
const MOST_PARENTS = 200

/**
 * What a scope is told of a change to the tree: the parents to load again, none at all for the whole tree,
 * undefined when the scope shows nothing of what changed. A change that may have been missed is any change.
 */
export async function findParents(
  network: Pick<LiveNeeds['network'], 'findKeys' | 'showsCompany'>,
  scope: Scope,
  change: StructureChange | undefined,
): Promise<readonly NodeKey[] | undefined> {
  if (change === undefined) return []
  if (!(await network.showsCompany(scope, change.companyId))) return undefined
  if (change.paths.length === 0) return []
  const parents = await network.findKeys(scope, change.paths)
  if (parents.length === 0) return undefined
  return parents.length > MOST_PARENTS ? [] : parents
}
