import type { BalanceTrend } from '@isotherm/contract/balancing/balance-now'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { shareWhere, weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import type { SlotMean } from './trend.ch.ts'

/** Maximum number of points of a trend. */
const MAX_POINTS = 200

/** Width of the slots of a range: whole minutes. */
export const toSlotMs = ({ from, to }: { readonly from: number; readonly to: number }): number =>
  Math.max(1, Math.ceil((to - from) / MAX_POINTS / MINUTE_MS)) * MINUTE_MS

/**
 * Weight and offset of a valve's return: floor area behind it, m², and its target offset (return-offsets.ts), K.
 */
export interface TrendValve {
  readonly areaM2: number
  readonly offsetK: number
}

/** Area-weighted spread of returns from their targets, for every slot with at least two measured valves. */
export function toTrend(
  means: readonly SlotMean[],
  valves: ReadonlyMap<number, TrendValve>,
  { from, slotMs }: { readonly from: number; readonly slotMs: number },
): BalanceTrend {
  const slots = Map.groupBy(means, ({ slot }) => slot)
  const points = [...slots].flatMap(([slot, among]) => {
    const returnC = among.map(({ mean }) => mean)
    const areaM2 = among.map(({ deviceId }) => valves.get(deviceId)?.areaM2 ?? 0)
    const errorK = among.map(({ deviceId, mean }) => mean - (valves.get(deviceId)?.offsetK ?? 0))
    const [meanReturnC, middle] = [weightedMean(returnC, areaM2), weightedMean(errorK, areaM2)]
    const sigmaReturnK = weightedDeviation(errorK, areaM2)
    if (among.length < 2 || meanReturnC === undefined || middle === undefined || sigmaReturnK === undefined)
      return []
    const withinOneK = shareWhere(errorK, (value) => Math.abs(value - middle) <= 1) ?? 0
    return [{ at: from + slot * slotMs, sigmaReturnK, meanReturnC, withinOneK, valves: among.length }]
  })
  return { points }
}
