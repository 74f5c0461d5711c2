import { type TimeConstantOutcome, USUAL_TIME_CONSTANT } from '@isotherm/balancing/rooms/time-constant'
import { cooledTo, preheatTime } from '@isotherm/balancing/rooms/time-slots'
import type { SequenceGroup } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { FindPreheat } from './timeline.ts'

const HOUR_S = 3_600
/** Assumed outdoor temperature without a reading, °C: a cold day of the season. */
const ASSUMED_OUTDOOR_C = -5

/** Time constant used for preheating. */
export interface TimeConstant {
  readonly hours: number
  /**
   * `not-identified`: the history gives too little information; `assumed`: there is no history. Both use the usual
   * value.
   */
  readonly by: 'stated' | 'identified' | 'not-identified' | 'assumed'
  /** Its 90 % bounds, if it was identified. */
  readonly lowHours?: number
  readonly highHours?: number
}

/** Present room and outdoor temperature of a group, °C. */
export interface GroupReadings {
  readonly roomC: number | undefined
  readonly outdoorC: number | undefined
  /** Time constant from its rooms; undefined if it was not computed. */
  readonly timeConstant?: TimeConstantOutcome | undefined
}

/** Whether a group uses the time constant of its rooms: it preheats, and nobody set a value. */
export const isToIdentify = ({ preheat }: Pick<SequenceGroup, 'preheat'>): boolean =>
  preheat !== undefined && preheat.timeConstantH === undefined

/** Time constant of a group: the set value, or the one identified from its rooms, or the usual one. */
export function findTimeConstant(
  { preheat }: Pick<SequenceGroup, 'preheat'>,
  outcome?: TimeConstantOutcome,
): TimeConstant | undefined {
  if (!preheat) return undefined
  if (preheat.timeConstantH !== undefined) return { hours: preheat.timeConstantH, by: 'stated' }
  if (outcome === undefined || outcome.kind === 'not-measured')
    return { hours: USUAL_TIME_CONSTANT.hours, by: 'assumed' }
  return {
    hours: outcome.timeConstantS / HOUR_S,
    by: outcome.kind,
    lowHours: outcome.lowS / HOUR_S,
    highHours: outcome.highS / HOUR_S,
  }
}

/**
 * Time before a slot at which a group starts to preheat, so that its rooms reach their target. Rooms start at their
 * measured temperature; without a reading, or before the setback has started, they start at the temperature to which
 * they cool from the target without heat until the slot starts.
 */
export function createFindPreheat(
  group: Pick<SequenceGroup, 'preheat'>,
  readings: GroupReadings,
  now: number,
): FindPreheat {
  const { preheat } = group
  const constant = findTimeConstant(group, readings.timeConstant)
  if (!preheat || !constant) return () => 0
  const { wantedC, boostedC, maxHours } = preheat
  const timeConstantS = 3_600 * constant.hours
  const outdoorC = Math.min(wantedC, readings.outdoorC ?? ASSUMED_OUTDOOR_C)
  return (boundary, lowSince) => {
    const isLow = lowSince <= now
    const cooled = cooledTo(timeConstantS, wantedC, outdoorC, Math.max(0, boundary.at - lowSince) / 1000)
    const nowC = isLow && readings.roomC !== undefined ? readings.roomC : cooled
    const lastsMs = 1000 * preheatTime({ timeConstantS, nowC, wantedC, boostedC })
    return Math.round(Math.min(lastsMs, maxHours * HOUR_MS))
  }
}
