import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { Loop } from '../loop/loop.ts'
import { toFloorSettleMs } from '../measurements/loop-window.ts'
import type { MeasuredLoop } from '../measurements/measured-loop.ts'
import type { ReadSeries } from '../measurements/readings.ch.ts'

/**
 * Whether a mode waits for floors to settle. A sequence does not, because its slots end before a floor has settled. The
 * proportional loop and slow trims do not, because they wait for the return of each valve (settling.ts).
 */
export const waitsForFloors = (mode: BalanceMode): boolean =>
  mode.kind !== 'sequence' && !(mode.kind === 'temperature' && mode.method !== undefined)

/** Number of time constants after which a screed has settled. */
const TIME_CONSTANTS = 3
/** Tolerance of the head: a change of 10 % changes the flow by 5 %, and a return by about 0.3 K. */
export const FOLLOWED_SHARE = 0.1

/**
 * Whether floors or rooms have responded to the heads of a time range that ends at `to`: the head filtered by a
 * first-order store of `lagMs` is within 10 % of the present one. A head with a daily rhythm is compared by its mean,
 * so that it never causes a wait.
 */
export function isHeadFollowed(
  { ts, value }: ReadSeries,
  {
    to,
    restMs,
    lagMs = restMs / TIME_CONSTANTS,
  }: { readonly to: number; readonly restMs: number; readonly lagMs?: number },
): boolean {
  const now = value.at(-1) ?? 0
  if (now <= 0) return true
  /** Share of the response at `to` that comes from heads before an instant. */
  const shareBefore = (at: number): number => Math.exp((at - to) / lagMs)
  let [sum, weights] = [0, 0]
  for (const [index, headKpa] of value.entries()) {
    // Each value lasts until the next one.
    const weight = shareBefore(ts[index + 1] ?? to) - shareBefore(Math.max(to - restMs, ts[index] ?? to))
    sum += weight * headKpa
    weights += weight
  }
  return weights <= 0 || Math.abs(sum / weights - now) <= FOLLOWED_SHARE * now
}

/** Devices of floors that have not responded to the last move of their valve, or to the head. */
export function findUnsettled(
  { consumers }: Pick<Loop, 'consumers'>,
  movedAt: ReadonlyMap<number, number>,
  { to, restMs }: { readonly to: number; readonly restMs: number },
  heads: ReadSeries,
): ReadonlySet<number> {
  const isFollowed = isHeadFollowed(heads, { to, restMs })
  return new Set(
    consumers.flatMap(({ deviceId, emitter }) => {
      const at = movedAt.get(deviceId)
      const isMoving = !isFollowed || (at !== undefined && to - at < restMs)
      return emitter === 'floor' && isMoving ? [deviceId] : []
    }),
  )
}

/** The readings, with NaN for temperatures of consumers that have not settled. */
export function withoutUnsettled(
  measured: MeasuredLoop,
  { consumers }: Pick<Loop, 'consumers'>,
  unsettled: ReadonlySet<number>,
): MeasuredLoop {
  if (unsettled.size === 0) return measured
  const blank = (values: Float64Array): Float64Array =>
    values.map((value, index) => (unsettled.has(consumers[index]?.deviceId ?? 0) ? Number.NaN : value))
  return { ...measured, supplyC: blank(measured.supplyC), returnC: blank(measured.returnC) }
}

/** Time to wait for a floor, ms of clock time. `settleMs`: settling time of the round that moved it, an upper limit. */
export const toRestMs = (timeFactor: number, settleMs = Number.POSITIVE_INFINITY): number =>
  Math.min(toFloorSettleMs(timeFactor), settleMs)
