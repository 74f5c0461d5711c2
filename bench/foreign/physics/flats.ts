import { powerAt, powerTableOf } from './power-table.ts'
import { WATER } from './water.ts'

/**
 * Flats of all buildings as parallel arrays, in the order of buildings. Air (with furniture) and structure are two
 * masses; the emitter is two in series along the water. Units: W/K, J/K, m², W/K^n.
 */
export interface Flats {
  /** Flats in each building; they stand in two columns, so that flat i is below i + 2 and beside i ^ 1. */
  readonly perBuilding: number
  readonly areaM2: Float64Array
  /** Share of each flat in the flow of its building; the shares of a building add up to 1. */
  readonly flowShare: Float64Array
  readonly coefficient: Float64Array
  readonly exponent: Float64Array
  /** Heat capacity of the whole emitter. */
  readonly emitterJK: Float64Array
  readonly airJK: Float64Array
  readonly structureJK: Float64Array
  /** Air to structure, air to outdoors (ventilation), structure to outdoors. */
  readonly insideWK: Float64Array
  readonly airingWK: Float64Array
  readonly wallWK: Float64Array
  /** Structure to the structure of the flat above, and to the one beside. */
  readonly aboveWK: Float64Array
  readonly besideWK: Float64Array
  /** People and appliances, W; and the area through which sun enters, m². */
  readonly peopleW: Float64Array
  readonly sunM2: Float64Array
}

/** Temperatures of all flats, °C; `first` and `second` are the two parts of each emitter. */
export interface FlatTemps {
  readonly airC: Float64Array
  readonly structureC: Float64Array
  readonly firstC: Float64Array
  readonly secondC: Float64Array
}

export const startTemps = (count: number, roomC: number, waterC: number): FlatTemps => ({
  airC: new Float64Array(count).fill(roomC),
  structureC: new Float64Array(count).fill(roomC - 1),
  firstC: new Float64Array(count).fill(waterC),
  secondC: new Float64Array(count).fill(waterC),
})

export const copyTemps = ({ airC, structureC, firstC, secondC }: FlatTemps): FlatTemps => ({
  airC: airC.slice(),
  structureC: structureC.slice(),
  firstC: firstC.slice(),
  secondC: secondC.slice(),
})

/** Half of the sun warms the air, half the structure. */
const SUN_IN_AIR = 0.5

export interface FlatConditions {
  readonly stepS: number
  readonly outdoorC: number
  readonly sunWM2: number
  /** By building, kg/s and °C. */
  readonly flowKgS: Float64Array
  readonly supplyC: Float64Array
}

/** Half of an emitter's conductance at an excess temperature, W/K; `power` is the table of its exponent n − 1. */
const emission = (coefficient: number, power: Float64Array, waterC: number, airC: number): number =>
  0.5 * coefficient * powerAt(power, waterC - airC)

/**
 * Advances all flats by one step and writes the mixed return of each building, °C, to `returnC`. Each mass takes an
 * implicit step (backward Euler with the conductance of the emitter at the start of the step), so that what one mass
 * loses another one gains exactly. Neighbours exchange heat by their temperatures at the start. Worked example, with
 * the balance of energy: flats.test.ts.
 */
export function stepFlats(
  flats: Flats,
  { airC, structureC, firstC, secondC }: FlatTemps,
  { stepS, outdoorC, sunWM2, flowKgS, supplyC }: FlatConditions,
  returnC: Float64Array,
): void {
  const { perBuilding } = flats
  const was = structureC.slice()
  for (let building = 0; building < flowKgS.length; building++) {
    const from = building * perBuilding
    // All flats of a building have one kind of emitter.
    const power = powerTableOf((flats.exponent[from] ?? 1) - 1)
    let mixed = 0
    for (let inside = 0; inside < perBuilding; inside++) {
      const f = from + inside
      const share = flats.flowShare[f] ?? 0
      const water = (flowKgS[building] ?? 0) * share * WATER.heatJKgK
      const store = (0.5 * (flats.emitterJK[f] ?? 0)) / stepS
      const k = flats.coefficient[f] ?? 0
      const air = airC[f] ?? 0
      const firstWK = emission(k, power, firstC[f] ?? 0, air)
      const secondWK = emission(k, power, secondC[f] ?? 0, air)
      const first =
        (store * (firstC[f] ?? 0) + water * (supplyC[building] ?? 0) + firstWK * air) /
        (store + water + firstWK)
      const second = (store * (secondC[f] ?? 0) + water * first + secondWK * air) / (store + water + secondWK)
      firstC[f] = first
      secondC[f] = second
      mixed += share * second
      const heatW = firstWK * (first - air) + secondWK * (second - air)
      const sunW = (flats.sunM2[f] ?? 0) * sunWM2
      // The exchange with neighbours, each by its own conductance of the lower or even flat.
      const mine = was[f] ?? 0
      let neighboursW = 0
      if (inside + 2 < perBuilding) neighboursW += (flats.aboveWK[f] ?? 0) * ((was[f + 2] ?? 0) - mine)
      if (inside >= 2) neighboursW += (flats.aboveWK[f - 2] ?? 0) * ((was[f - 2] ?? 0) - mine)
      const pair = from + (inside ^ 1)
      if ((inside ^ 1) < perBuilding)
        neighboursW += (flats.besideWK[Math.min(f, pair)] ?? 0) * ((was[pair] ?? 0) - mine)
      const [ca, cs] = [(flats.airJK[f] ?? 0) / stepS, (flats.structureJK[f] ?? 0) / stepS]
      const [inner, airing, wall] = [flats.insideWK[f] ?? 0, flats.airingWK[f] ?? 0, flats.wallWK[f] ?? 0]
      const toAir = ca * air + airing * outdoorC + heatW + (flats.peopleW[f] ?? 0) + SUN_IN_AIR * sunW
      const toStructure = cs * mine + wall * outdoorC + neighboursW + (1 - SUN_IN_AIR) * sunW
      const [a, s] = [ca + airing + inner, cs + wall + inner]
      const next = (toAir * s + inner * toStructure) / (a * s - inner ** 2)
      airC[f] = next
      structureC[f] = (toStructure + inner * next) / s
    }
    returnC[building] = mixed
  }
}
