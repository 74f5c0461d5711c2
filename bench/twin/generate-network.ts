import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import type { TwoPipeTree } from '@isotherm/hydraulics/tree/two-pipe-tree.testkit'
import { metre, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'

const BUILDINGS_PER_STREET = 20
/** Design flow of a building, kg/s, for sizing the pipes. */
const BUILDING_KG_S = 5
const MAX_SPEED_M_S = 1.2
const HEAD_PA = 150_000
/** Ratio of two adjacent pipe diameters. */
const SIZE_STEP = 1.2

function toDiameter(buildings: number): number {
  const flow = BUILDING_KG_S * buildings
  const minDiameterM = Math.sqrt((4 * flow) / (Math.PI * WARM_WATER.densityKgM3 * MAX_SPEED_M_S))
  return SIZE_STEP ** Math.ceil(Math.log(minDiameterM) / Math.log(SIZE_STEP))
}

/** Generates a two-pipe tree with pipes sized for their flow: one trunk, with streets of twenty buildings each. */
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
