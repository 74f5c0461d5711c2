import { type Bore, pipeLossPa } from '../physics/friction.ts'
import type { Trench } from '../physics/network.ts'
import { toM3H } from '../physics/water.ts'

/** Inner diameters of steel pipes and their walls, m (GB/T 3091, GB/T 8163). */
const STEEL = [
  [0.0273, 0.0032],
  [0.0354, 0.0035],
  [0.041, 0.0035],
  [0.053, 0.0035],
  [0.0703, 0.004],
  [0.0825, 0.004],
  [0.1071, 0.004],
  [0.1325, 0.0045],
  [0.158, 0.0045],
  [0.2073, 0.006],
  [0.261, 0.006],
] as const

/** Roughness by which a planner sizes, m. */
const PLANNED_ROUGHNESS_M = 0.0005

/** The smallest steel pipe with at most `maxPaM` at a flow. */
export function sizePipe(
  flowKgS: number,
  maxPaM: number,
): { readonly innerM: number; readonly wallM: number } {
  const bore = (innerM: number): Bore => ({ lengthM: 1, innerM, roughnessM: PLANNED_ROUGHNESS_M, zeta: 0 })
  const found = STEEL.find(([innerM]) => pipeLossPa(bore(innerM), flowKgS) <= maxPaM) ?? [0.261, 0.006]
  return { innerM: found[0], wallM: found[1] }
}

/** Plates of motor valves: nominal width, mm, and capacity, m³/h at 1 bar. */
export const PLATES = [
  { dn: 15, kvs: 4 },
  { dn: 20, kvs: 6.3 },
  { dn: 25, kvs: 10 },
  { dn: 32, kvs: 16 },
  { dn: 40, kvs: 25 },
  { dn: 50, kvs: 40 },
  { dn: 65, kvs: 63 },
] as const

/** Loss of the open valve for which valves are chosen, bar. */
const OPEN_BAR = 0.06

/** Index of the smallest plate that loses at most 6 kPa when open. */
export function sizeValve(flowKgS: number): number {
  const wanted = toM3H(flowKgS) / Math.sqrt(OPEN_BAR)
  const found = PLATES.findIndex(({ kvs }) => kvs >= wanted)
  return found < 0 ? PLATES.length - 1 : found
}

/** Loss of supply and return from the station to each junction at given flows of the trenches, Pa. */
export function lossToJunctions(trenches: readonly Trench[], flowKgS: Float64Array): Float64Array {
  const loss = new Float64Array(trenches.length)
  for (const [t, trench] of trenches.entries())
    loss[t] = (trench.before < 0 ? 0 : (loss[trench.before] ?? 0)) + 2 * pipeLossPa(trench, flowKgS[t] ?? 0)
  return loss
}
