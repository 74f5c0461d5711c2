import { GROUND_C, type HeatRun, type Parcels } from './pipe-run.ts'
import { WATER } from './water.ts'

/** Heat in a pipe above 0 °C at an instant, J: each parcel cools exponentially from its entry on. */
export function heatInRun(
  { groundS }: HeatRun,
  { oldest, massKg, entryC, entryS }: Parcels,
  atS: number,
): number {
  let heat = 0
  for (let at = oldest; at < massKg.length; at++) {
    const share = Math.exp(-Math.max(0, atS - (entryS[at] ?? 0)) / groundS)
    heat += (massKg[at] ?? 0) * (GROUND_C + ((entryC[at] ?? 0) - GROUND_C) * share)
  }
  return WATER.heatJKgK * heat
}
