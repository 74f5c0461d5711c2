import { WATER } from './water.ts'

/** Temperature of the ground around pipes, °C. */
export const GROUND_C = 6
/** Number of parcels that have left after which their places are freed. */
const LEFT_PARCELS = 64

/** Thermal data of a pipe: the mass of water with the heat capacity of its water and wall, and its time constant to the ground. */
export interface HeatRun {
  readonly massKg: number
  readonly groundS: number
}

/**
 * Thermal data of a pipe. The steel wall (thickness in m) holds heat too and retards fronts. `lossWMK` is the heat loss in
 * W/(m·K).
 */
export function heatRunOf(lengthM: number, innerM: number, wallM: number, lossWMK: number): HeatRun {
  const waterKg = WATER.densityKgM3 * (Math.PI / 4) * innerM ** 2 * lengthM
  const steelJK = 7850 * 490 * Math.PI * (innerM + wallM) * wallM * lengthM
  const massKg = waterKg + steelJK / WATER.heatJKgK
  return { massKg, groundS: (massKg * WATER.heatJKgK) / (lossWMK * lengthM) }
}

/**
 * Water in a pipe as parcels that push each other out. Each parcel has a mass, a temperature at its entry, and the
 * instant of its entry; it cools exponentially towards the ground until it leaves.
 */
export interface Parcels {
  /** Index of the oldest parcel; those before it have left. */
  oldest: number
  readonly massKg: number[]
  readonly entryC: number[]
  readonly entryS: number[]
}

export const fillRun = ({ massKg }: HeatRun, valueC: number, atS: number): Parcels => ({
  oldest: 0,
  massKg: [massKg],
  entryC: [valueC],
  entryS: [atS],
})

export const copyParcels = ({ oldest, massKg, entryC, entryS }: Parcels): Parcels => ({
  oldest: 0,
  massKg: massKg.slice(oldest),
  entryC: entryC.slice(oldest),
  entryS: entryS.slice(oldest),
})

/** Temperature of a parcel after some time in the pipe, °C. */
const cooled = (entryC: number, pastS: number, groundS: number): number =>
  pastS <= 0 ? entryC : GROUND_C + (entryC - GROUND_C) * Math.exp(-pastS / groundS)

/**
 * Pushes a mass of water (kg) of a temperature (°C) into a pipe during a step that ends at `atS`. Returns the mean
 * temperature of the water that leaves, °C. Worked example: pipe-run.test.ts.
 */
export function pushThrough(
  { groundS }: HeatRun,
  parcels: Parcels,
  inKg: number,
  inC: number,
  atS: number,
): number {
  const { massKg, entryC, entryS } = parcels
  let at = parcels.oldest
  if (inKg <= 0) return cooled(entryC[at] ?? inC, atS - (entryS[at] ?? atS), groundS)
  massKg.push(inKg)
  entryC.push(inC)
  entryS.push(atS)
  let [left, heat] = [inKg, 0]
  while (at < massKg.length) {
    const own = massKg[at] ?? 0
    const out = cooled(entryC[at] ?? inC, atS - (entryS[at] ?? atS), groundS)
    if (own > left) {
      massKg[at] = own - left
      heat += left * out
      break
    }
    heat += own * out
    left -= own
    at++
  }
  parcels.oldest = at
  if (at > LEFT_PARCELS) {
    massKg.splice(0, at)
    entryC.splice(0, at)
    entryS.splice(0, at)
    parcels.oldest = 0
  }
  return heat / inKg
}
