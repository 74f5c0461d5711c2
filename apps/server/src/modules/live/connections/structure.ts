import type { NodeKey } from '@isotherm/contract/tree'
import { ROOT_PATH, type Scope } from '../../../platform/scope/scope.ts'
import type { StructureChange } from '../../network/index.ts'
import type { Lookups } from '../subscriptions/shared-lookups.ts'

/** Greatest number of parents in one event (contract). */
const MAX_PARENTS = 200

/**
 * Parents that a user with this scope must load again after a change of the tree: empty for the whole tree, undefined
 * if the change is not visible. An undefined change means that any change may have been missed.
 */
export async function findParents(
  network: Pick<Lookups, 'findKeys' | 'showsCompany'>,
  scope: Scope,
  change: StructureChange | undefined,
): Promise<readonly NodeKey[] | undefined> {
  if (change === undefined) return []
  const { companyId, paths } = change
  // Other paths identify the company. The root and an empty list are the same in every company.
  const namesCompany = paths.length > 0 && !paths.includes(ROOT_PATH)
  if (!namesCompany && !(await network.showsCompany(scope, companyId))) return undefined
  if (paths.length === 0) return []
  const parents = await network.findKeys(scope, paths)
  if (parents.length === 0) return undefined
  return parents.length > MAX_PARENTS ? [] : parents
}
