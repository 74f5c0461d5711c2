import type { PumpStay } from '@isotherm/contract/balancing/balance-pump'
import type { PumpLimits } from '@isotherm/contract/command'
import { findExclusions } from '../loop/exclusions.ts'
import type { Loop } from '../loop/loop.ts'
import type { Place } from '../loop/place.ts'
import { isMember } from './members.ts'
import type { PlannerNeeds } from './planner-needs.ts'

/** Whether a balance may set the pump of its station, and between which heads; else why not. */
export type PumpRule =
  | { readonly kind: 'may-set'; readonly limits: PumpLimits }
  | { readonly kind: 'stays'; readonly why: PumpStay }

/** Of a station that takes no head. */
export const NO_CONTROL: PumpRule = { kind: 'stays', why: 'no-control' }

/**
 * The pump is everybody's on the loop: it is set by a balance of all of it, asked for at a node that the controller stands
 * below, so that whoever was granted the node was granted the pump.
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
