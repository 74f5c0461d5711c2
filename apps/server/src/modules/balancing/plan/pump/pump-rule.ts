import type { PumpStay } from '@isotherm/contract/balancing/balance-pump'
import type { PumpLimits } from '@isotherm/contract/command'
import { findExclusions } from '../../loop/exclusions.ts'
import type { Loop } from '../../loop/loop.ts'
import type { Place } from '../../loop/place.ts'
import { isMember } from '../members.ts'
import type { PlannerNeeds } from '../planner-needs.ts'

/** Whether a balance may set the pump of its station, and its range of heads; otherwise the reason. */
export type PumpRule =
  | { readonly kind: 'may-set'; readonly limits: PumpLimits }
  | { readonly kind: 'stays'; readonly why: PumpStay }

/** Rule of a station that accepts no head. */
export const NO_CONTROL: PumpRule = { kind: 'stays', why: 'no-control' }

/**
 * The pump belongs to the whole loop. Only a balance of the whole loop may set it, requested at a node above the
 * controller, so that the grant of the node includes the pump.
 */
export async function findPumpRule(
  needs: PlannerNeeds,
  { nodePath, stationPath }: Place,
  { station, consumers }: Loop,
): Promise<PumpRule> {
  if (!needs.findPumpLimits) return NO_CONTROL
  const isWhole = consumers.every((consumer) => isMember(consumer, nodePath))
  if (!isWhole || !stationPath.startsWith(nodePath)) return { kind: 'stays', why: 'shared' }
  const { deviceId } = station
  const why = (await findExclusions(needs, [deviceId])).get(deviceId)
  if (why === 'held' || why === 'switched-off' || why === 'absent') return { kind: 'stays', why }
  return { kind: 'may-set', limits: await needs.findPumpLimits(deviceId) }
}
