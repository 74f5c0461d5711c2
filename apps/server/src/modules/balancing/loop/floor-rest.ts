import type { BalanceMode } from '@isotherm/contract/balancing'
import type { Loop } from './loop.ts'
import { toFloorSettleMs } from './loop-window.ts'
import type { MeasuredLoop } from './measured-loop.ts'

/**
 * Whether temperatures behind floors wait until they have settled. In a slot of a sequence they never would; the proportional
 * loop and slow trims wait for each by its own return (settling.ts).
 */
export const waitsForFloors = (mode: BalanceMode): boolean =>
  mode.kind !== 'sequence' && !(mode.kind === 'temperature' && mode.method !== undefined)

/** Whose temperatures are waited for, by device: floors that have not followed the last move of their valve. */
export function findUnsettled(
  { consumers }: Pick<Loop, 'consumers'>,
  movedAt: ReadonlyMap<number, number>,
  { to, restMs }: { readonly to: number; readonly restMs: number },
): ReadonlySet<number> {
  return new Set(
    consumers.flatMap(({ deviceId, emitter }) => {
      const at = movedAt.get(deviceId)
      return emitter === 'floor' && at !== undefined && to - at < restMs ? [deviceId] : []
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
