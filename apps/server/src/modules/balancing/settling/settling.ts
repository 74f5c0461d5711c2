import { identifyLag } from '@isotherm/balancing/identify/identify-lag'
import { periodFor } from '@isotherm/balancing/proportional/proportional'
import { median } from '@isotherm/kernel/statistics'
import { STILL_PCT } from '../measurements/measured-loop.ts'
import type { ValveSteps } from './responses.ch.ts'

/** Transport time of the water through the pipes and back, s of plant time. */
const TRANSPORT_S = 1_800
/** A response includes readings from this long before the move, s of plant time. */
const BEFORE_S = 7_200
/** Maximum settling time of a heated floor, s of plant time. */
export const LONGEST_S = 48 * 3_600
/** An emitter settles in three time constants; most of its response has come after the first. */
const TIME_CONSTANTS = 3
/** Readings within this plant time are averaged, s. */
export const STEP_S = 600

/** Median of all returns in each step, °C, by its start: the common effect of weather and supply. */
function findCommon(all: Iterable<ValveSteps>): ReadonlyMap<number, number> {
  const at = new Map<number, number[]>()
  for (const steps of all)
    for (const [index, begin] of steps.at.entries()) {
      const of = at.get(begin) ?? []
      of.push(steps.returnC[index] ?? Number.NaN)
      at.set(begin, of)
    }
  return new Map([...at].map(([begin, values]) => [begin, median(values) ?? Number.NaN]))
}

/** The first step since which a valve has had the opening of step `last`; 0 if it never had another one. */
function findLastMove({ openingPct }: ValveSteps, last: number): number {
  const present = openingPct[last] ?? Number.NaN
  return openingPct.findLastIndex((shown, index) => index < last && Math.abs(shown - present) > STILL_PCT) + 1
}

/** The present instant, and the time factor of the plant. */
export interface SettlingTime {
  /** Unix ms. */
  readonly now: number
  /** Time factor of the plant. */
  readonly timeFactor: number
  /**
   * Maximum settling time of a device's emitter, s of plant time; it applies where there are hardly any readings.
   */
  readonly longestS: (deviceId: number) => number
}

/** Whether the return of a valve still responds to its last move. */
function isSettling(
  steps: ValveSteps,
  common: ReadonlyMap<number, number>,
  { now, timeFactor, longestS }: Omit<SettlingTime, 'longestS'> & { readonly longestS: number },
): boolean {
  const moved = findLastMove(steps, steps.at.length - 1)
  if (moved === 0) return false
  const toPlantS = (ms: number): number => (ms * timeFactor) / 1000
  const movedAt = steps.at[moved] ?? now
  const begin = findLastMove(steps, moved - 1)
  const response = [...steps.at.keys()].filter(
    (index) => index >= begin && toPlantS((steps.at[index] ?? 0) - movedAt) >= -BEFORE_S,
  )
  const found = identifyLag(
    {
      atS: response.map((index) => toPlantS((steps.at[index] ?? 0) - movedAt) + STEP_S / 2),
      valueK: response.map((index) => (steps.returnC[index] ?? 0) - (common.get(steps.at[index] ?? 0) ?? 0)),
    },
    TRANSPORT_S,
  )
  const ageS = toPlantS(now - movedAt)
  if (found.kind === 'lag') return ageS < periodFor(TRANSPORT_S, found.maxS)
  // A slow emitter may show its response later.
  return ageS < (found.kind === 'too-few' ? longestS : TRANSPORT_S + longestS / TIME_CONSTANTS)
}

/**
 * Devices of valves whose return still responds to their last move: until three of their own time constants are over;
 * with hardly any readings, until the maximum settling time of the emitter; without a visible response, until a
 * response of the slowest emitter of its kind would be visible. Worked example: settling.test.ts.
 */
export function findSettling(
  responses: ReadonlyMap<number, ValveSteps>,
  when: SettlingTime,
): ReadonlySet<number> {
  const common = findCommon(responses.values())
  return new Set(
    [...responses].flatMap(([deviceId, steps]) =>
      isSettling(steps, common, { ...when, longestS: when.longestS(deviceId) }) ? deviceId : [],
    ),
  )
}
