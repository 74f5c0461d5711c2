import { identifyLag } from '@isotherm/balancing/identify/identify-lag'
import { periodFor } from '@isotherm/balancing/proportional/proportional'
import { median } from '@isotherm/kernel/statistics'
import { STILL_PCT } from '../measurements/measured-loop.ts'
import type { ValveSteps } from './responses.ch.ts'

/** How long water is on its way through pipes and back, s of the plant. */
const TRANSPORT_S = 1_800
/** A return is looked at from this long before its valve moved, s of the plant. */
const BEFORE_S = 7_200
/** Screeds of heated floors take no longer, s of the plant. */
export const LONGEST_S = 48 * 3_600
/** An emitter settles in three of its time constants; after the first, most of how far its return swings has come. */
const TIME_CONSTANTS = 3
/** Readings of so much of the plant's time are one, s. */
export const STEP_S = 600

/** Median of all returns in each step, °C, by its beginning: what weather and supply do to everybody. */
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

/** The step before which a valve stood elsewhere than in step `last`; 0 where it never did. */
function lastMove({ openingPct }: ValveSteps, last: number): number {
  const stands = openingPct[last] ?? Number.NaN
  return openingPct.findLastIndex((shown, index) => index < last && Math.abs(shown - stands) > STILL_PCT) + 1
}

/** Now, and how a plant lives. */
export interface SettlingTime {
  /** Unix ms. */
  readonly now: number
  /** How much faster than the clock the plant lives. */
  readonly factor: number
  /** How long the emitter of a device may settle, s of the plant; what is hardly read is waited for so long. */
  readonly longestS: (deviceId: number) => number
}

/** Whether what came back of a valve is still on its way since it last moved. */
function isSettling(
  steps: ValveSteps,
  common: ReadonlyMap<number, number>,
  { now, factor, longestS }: Omit<SettlingTime, 'longestS'> & { readonly longestS: number },
): boolean {
  const moved = lastMove(steps, steps.at.length - 1)
  if (moved === 0) return false
  const toPlantS = (ms: number): number => (ms * factor) / 1000
  const movedAt = steps.at[moved] ?? now
  const begin = lastMove(steps, moved - 1)
  const seen = [...steps.at.keys()].filter(
    (index) => index >= begin && toPlantS((steps.at[index] ?? 0) - movedAt) >= -BEFORE_S,
  )
  const found = identifyLag(
    {
      atS: seen.map((index) => toPlantS((steps.at[index] ?? 0) - movedAt) + STEP_S / 2),
      valueK: seen.map((index) => (steps.returnC[index] ?? 0) - (common.get(steps.at[index] ?? 0) ?? 0)),
    },
    TRANSPORT_S,
  )
  const ageS = toPlantS(now - movedAt)
  if (found.kind === 'lag') return ageS < periodFor(TRANSPORT_S, found.mostS)
  // What is not seen yet of a slow emitter may still come.
  return ageS < (found.kind === 'too-few' ? longestS : TRANSPORT_S + longestS / TIME_CONSTANTS)
}

/**
 * Valves whose return still follows their last move, by device: until three of their own time constants are over, as their
 * returns show it, or as long as any emitter of their kind settles where they hardly tell; where a return shows no move, until
 * one would be seen of the slowest of its kind. Worked example: settling.test.ts.
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
