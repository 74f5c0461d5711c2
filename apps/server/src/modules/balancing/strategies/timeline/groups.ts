import type { SequencePlan, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { AppError } from '../../../../platform/app-error.ts'
import { scopeOfEverything } from '../../../../platform/scope/scope.ts'
import type { NetworkService } from '../../../network/index.ts'
import type { Place } from '../../loop/place.ts'
import { createGroupFinder, type GroupPaths } from '../../loop/slot-levels.ts'

/** Existing paths of the places of each group. */
export async function findGroupPaths(
  { findParts }: Pick<NetworkService, 'findParts'>,
  { groups }: Pick<SequencePlan, 'groups'>,
): Promise<GroupPaths> {
  const parts = await findParts(scopeOfEverything, [...new Set(groups.flatMap(({ nodes }) => nodes))])
  return groups.map(({ nodes }) => nodes.flatMap((node) => parts.get(node) ?? []))
}

/** Throws strategy.group-misplaced for a group with a place outside of the strategy's node, or in another group too. */
export async function requireGroups(
  network: Pick<NetworkService, 'findParts'>,
  plan: StrategyPlan,
  { nodeName, nodePath }: Pick<Place, 'nodeName' | 'nodePath'>,
): Promise<void> {
  if (plan.kind !== 'sequence') return
  const paths = await findGroupPaths(network, plan)
  const findGroup = createGroupFinder(paths)
  const misplaced = paths.findIndex((own, group) =>
    own.some((path) => !path.startsWith(nodePath) || findGroup(path) !== group),
  )
  if (misplaced >= 0)
    throw new AppError('strategy.group-misplaced', {
      group: plan.groups[misplaced]?.name ?? '',
      node: nodeName,
    })
}
