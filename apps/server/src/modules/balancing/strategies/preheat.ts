import { cooledTo, preheatTime } from '@isotherm/balancing/time-slots'
import type { SequenceGroup } from '@isotherm/contract/strategies'
import type { FindPreheat } from './timeline.ts'

const HOUR_MS = 3_600_000
/** τ of the usual concrete block that is not insulated much, h (50 to 150 h). */
const USUAL_TIME_CONSTANT_H = 80
/** Where nobody measures the weather, °C: a cold day of the season. */
const ASSUMED_OUTDOOR_C = -5

/** What preheating counts with. */
export interface TimeConstant {
  readonly hours: number
  readonly by: 'stated' | 'assumed'
}

/** What is known of the rooms of a group now, and of the weather, °C. */
export interface GroupSight {
  readonly roomC: number | undefined
  readonly outdoorC: number | undefined
}

/** The time constant that holds for a group: what people state, or a usual one. */
export function findTimeConstant({ preheat }: Pick<SequenceGroup, 'preheat'>): TimeConstant | undefined {
  if (!preheat) return undefined
  return preheat.timeConstantH === undefined
    ? { hours: USUAL_TIME_CONSTANT_H, by: 'assumed' }
    : { hours: preheat.timeConstantH, by: 'stated' }
}

/**
 * How long before its slots a group begins: until its rooms are as they are wanted. They are now as they are measured; where
 * they are not, or their low time has not begun yet, as they cool down from what is wanted until the slot begins, without
 * any heat.
 */
export function createFindPreheat(
  group: Pick<SequenceGroup, 'preheat'>,
  sight: GroupSight,
  now: number,
): FindPreheat {
  const { preheat } = group
  const constant = findTimeConstant(group)
  if (!preheat || !constant) return () => 0
  const { wantedC, boostedC, mostHours } = preheat
  const timeConstantS = 3_600 * constant.hours
  const outdoorC = Math.min(wantedC, sight.outdoorC ?? ASSUMED_OUTDOOR_C)
  return (border, lowSince) => {
    const isLow = lowSince <= now
    const cooled = cooledTo(timeConstantS, wantedC, outdoorC, Math.max(0, border.at - lowSince) / 1000)
    const nowC = isLow && sight.roomC !== undefined ? sight.roomC : cooled
    const lastsMs = 1000 * preheatTime({ timeConstantS, nowC, wantedC, boostedC })
    return Math.round(Math.min(lastsMs, mostHours * HOUR_MS))
  }
}
