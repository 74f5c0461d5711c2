import { findAbort as findWaveAbort } from '@isotherm/balancing/moves/wave-plan'
import { toKgS } from '../../measurements/measured-loop.ts'
import type { FindAbort } from '../../plan/planner.ts'

/** A loop of which less than this share of the flows that were predicted is seen is not watched. */
const LEAST_WATCHED = 0.5

/**
 * Rooms that may be cold beyond those that were: windows are opened while a round settles, and the number of rooms near a
 * limit sways by its square root.
 */
const allowedColder = (before: number): number => Math.max(1, Math.sqrt(before))

/** One valve that did not answer is no sign of a field that is ill: whether its building starves is for its flow to say. */
const LOST_VALVES = 1

/**
 * The rules by which a campaign ends itself, the gravest first: what wave-plan.ts holds against a step's limits, then rooms,
 * then that nobody can tell.
 */
export const findAbort: FindAbort = (plan, step, seen, { given, unanswered }) => {
  if (unanswered > Math.max(LOST_VALVES, plan.mostUnanswered * given))
    return { kind: 'unanswered', share: unanswered / given }
  const limits = step.leastFlowM3H
  const leastFlowKgS = Float64Array.from(limits, ([, least]) => toKgS(least))
  const flowKgS = Float64Array.from(limits, ([deviceId]) => toKgS(seen.flowM3H.get(deviceId) ?? Number.NaN))
  const after = {
    flowKgS: leastFlowKgS,
    leastFlowKgS,
    headPa: Number.NaN,
    leastHeadPa: 1000 * step.leastHeadKpa,
    mostHeadPa: 1000 * step.mostHeadKpa,
  }
  const reason = findWaveAbort(
    { steps: [], mostUnanswered: plan.mostUnanswered },
    { kind: 'open', moves: [], after },
    { flowKgS, headPa: 1000 * (seen.headKpa ?? Number.NaN), commands: 0, unanswered: 0 },
  )
  if (reason?.kind === 'head-outside') return { kind: 'head-outside', headKpa: reason.headPa / 1000 }
  if (reason?.kind === 'starved-consumers') {
    const deviceIds = reason.consumers.flatMap((index) => limits[index]?.[0] ?? [])
    return { kind: 'starved', deviceIds }
  }
  const { coldRooms: before } = plan
  if (seen.coldRooms > before + allowedColder(before))
    return { kind: 'cold-rooms', before, now: seen.coldRooms }
  const watched = flowKgS.filter((flow) => !Number.isNaN(flow)).length
  const isWatched = seen.headKpa !== undefined && watched >= LEAST_WATCHED * limits.length
  return isWatched ? undefined : { kind: 'not-measured' }
}
