import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { Loop } from '../loop/loop.ts'
import { toFloorSettleMs } from '../measurements/loop-window.ts'
import type { MeasuredLoop } from '../measurements/measured-loop.ts'
import type { ReadSeries } from '../measurements/readings.ch.ts'

/**
 * Whether temperatures behind floors wait until they have settled. In a slot of a sequence they never would; the proportional
 * loop and slow trims wait for each by its own return (settling.ts).
 */
export const waitsForFloors = (mode: BalanceMode): boolean =>
  mode.kind !== 'sequence' && !(mode.kind === 'temperature' && mode.method !== undefined)

/** Screeds have followed after so many of their time constants. */
const TIME_CONSTANTS = 3
/** A tenth of a head is a twentieth of the flow, and some 0.3 K of a return. */
const FOLLOWED_SHARE = 0.1

/**
 * Whether floors have followed the heads of a span that ends at `to`: what a first-order store made of them is within a tenth
 * of the head there is. A head that goes up and down with the day is followed in its mean, and floors never wait for it.
 */
export function isHeadFollowed(
  { ts, value }: ReadSeries,
  { to, restMs }: { readonly to: number; readonly restMs: number },
): boolean {
  const now = value.at(-1) ?? 0
  if (now <= 0) return true
  const lagMs = restMs / TIME_CONSTANTS
  const left = (at: number): number => Math.exp((at - to) / lagMs)
  let [sum, weights] = [0, 0]
  for (const [index, headKpa] of value.entries()) {
    // Each holds until the next is told.
    const weight = left(ts[index + 1] ?? to) - left(Math.max(to - restMs, ts[index] ?? to))
    sum += weight * headKpa
    weights += weight
  }
  return weights <= 0 || Math.abs(sum / weights - now) <= FOLLOWED_SHARE * now
}

/** Whose temperatures are waited for, by device: floors that have not followed the last move of their valve, or the head. */
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

/** What was measured without temperatures that have not settled. */
export function withoutUnsettled(
  measured: MeasuredLoop,
  { consumers }: Pick<Loop, 'consumers'>,
  unsettled: ReadonlySet<number>,
): MeasuredLoop {
  if (unsettled.size === 0) return measured
  const keep = (values: Float64Array): Float64Array =>
    values.map((value, index) => (unsettled.has(consumers[index]?.deviceId ?? 0) ? Number.NaN : value))
  return { ...measured, supplyC: keep(measured.supplyC), returnC: keep(measured.returnC) }
}

/** How long a floor is waited for, ms of the wire: as a round that moved it is, and no longer than a round was. */
export const toRestMs = (factor: number, settleMs = Number.POSITIVE_INFINITY): number =>
  Math.min(toFloorSettleMs(factor), settleMs)
