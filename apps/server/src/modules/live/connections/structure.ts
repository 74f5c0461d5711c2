import type { NodeKey } from '@isotherm/contract/tree'
import { ROOT_PATH, type Scope } from '../../../platform/scope/scope.ts'
import type { StructureChange } from '../../network/index.ts'
import type { Lookups } from '../subscriptions/shared-lookups.ts'

/** As many parents as the contract lets one event name. */
const MOST_PARENTS = 200

/**
 * What a scope is told of a change to the tree: the parents to load again, none at all for the whole tree,
 * undefined when the scope shows nothing of what changed. A change that may have been missed is any change.
 */
export async function findParents(
  network: Pick<Lookups, 'findKeys' | 'showsCompany'>,
  scope: Scope,
  change: StructureChange | undefined,
): Promise<readonly NodeKey[] | undefined> {
  if (change === undefined) return []
  const { companyId, paths } = change
  // Other paths name the company themselves; the root, and none at all, are the same in every company.
  const namesCompany = paths.length > 0 && !paths.includes(ROOT_PATH)
  if (!namesCompany && !(await network.showsCompany(scope, companyId))) return undefined
  if (paths.length === 0) return []
  const parents = await network.findKeys(scope, paths)
  if (parents.length === 0) return undefined
  return parents.length > MOST_PARENTS ? [] : parents
}
