import { type TimeConstantOutcome, USUAL_TIME_CONSTANT } from '@isotherm/balancing/rooms/time-constant'
import { cooledTo, preheatTime } from '@isotherm/balancing/rooms/time-slots'
import type { SequenceGroup } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { FindPreheat } from './timeline.ts'

const HOUR_S = 3_600
/** Where nobody measures the weather, °C: a cold day of the season. */
const ASSUMED_OUTDOOR_C = -5

/** What preheating counts with. */
export interface TimeConstant {
  readonly hours: number
  /** Not identified where there is history that says too little, assumed where there is none: both are the usual one. */
  readonly by: 'stated' | 'identified' | 'not-identified' | 'assumed'
  /** Between which it lies in nine cases of ten, where that was worked out. */
  readonly lowHours?: number
  readonly highHours?: number
}

/** What is known of the rooms of a group now, and of the weather, °C. */
export interface GroupSight {
  readonly roomC: number | undefined
  readonly outdoorC: number | undefined
  /** As its rooms show it; undefined where nobody asked. */
  readonly timeConstant?: TimeConstantOutcome | undefined
}

/** Whether a group counts with what its rooms show: it preheats, and nobody states a time constant. */
export const isToIdentify = ({ preheat }: Pick<SequenceGroup, 'preheat'>): boolean =>
  preheat !== undefined && preheat.timeConstantH === undefined

/** The time constant that holds for a group: what people state, what its rooms show, or a usual one. */
export function findTimeConstant(
  { preheat }: Pick<SequenceGroup, 'preheat'>,
  shown?: TimeConstantOutcome,
): TimeConstant | undefined {
  if (!preheat) return undefined
  if (preheat.timeConstantH !== undefined) return { hours: preheat.timeConstantH, by: 'stated' }
  if (shown === undefined || shown.kind === 'not-measured')
    return { hours: USUAL_TIME_CONSTANT.hours, by: 'assumed' }
  return {
    hours: shown.timeConstantS / HOUR_S,
    by: shown.kind,
    lowHours: shown.lowS / HOUR_S,
    highHours: shown.highS / HOUR_S,
  }
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
  const constant = findTimeConstant(group, sight.timeConstant)
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
