import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import type { TwoPipeTree } from '@isotherm/hydraulics/tree/two-pipe-tree.testkit'
import { metre, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'

const BUILDINGS_PER_STREET = 20
/** Sizing of pipes: flow per building below, kg/s, and highest speed, m/s. */
const BUILDING_KG_S = 5
const HIGHEST_M_S = 1.2
const HEAD_PA = 150_000
/** Diameters have steps of 20 %; the next larger one is selected. */
const SIZE_STEP = 1.2

function toDiameter(buildings: number): number {
  const flow = BUILDING_KG_S * buildings
  const least = Math.sqrt((4 * flow) / (Math.PI * WARM_WATER.densityKgM3 * HIGHEST_M_S))
  return SIZE_STEP ** Math.ceil(Math.log(least) / Math.log(SIZE_STEP))
}

/** A two-pipe tree with every pipe sized for its flow: `buildings` consumers on streets of twenty from one trunk. Reproducible by seed. */
export function generateNetwork(buildings: number, seed = 1): TwoPipeTree {
  const random = createRandom(seed)
  const pipes: PipeSpec[] = []
  const circuits: CircuitSpec[] = []
  const addPipe = (parent: number, lengthM: number, below: number): number =>
    pipes.push({
      parent,
      length: metre(lengthM * (0.5 + random())),
      innerDiameter: metre(toDiameter(below)),
      roughness: metre(0.0005),
      localLoss: 0,
      runs: 2,
    }) - 1
  let trunk = SOURCE
  for (let first = 0; first < buildings; first += BUILDINGS_PER_STREET) {
    trunk = addPipe(trunk, 60, buildings - first)
    let street = trunk
    const last = Math.min(buildings, first + BUILDINGS_PER_STREET)
    for (let building = first; building < last; building += 1) {
      street = addPipe(street, 30, last - building)
      circuits.push({ node: addPipe(street, 15, 1), resistance: resistance(800 + 1200 * random()) })
    }
  }
  const valveResistance = circuits.map(() => 300 + 3000 * random())
  return { pipes, circuits, valveResistance, headPa: HEAD_PA }
}
