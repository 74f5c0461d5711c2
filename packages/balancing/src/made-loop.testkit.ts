import { type CircuitSpec, createTreeNetwork, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree-network'
import type { ValveCharacteristic } from '@isotherm/hydraulics/valve'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { flowCoefficient, metre, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import type { LoopModel } from './loop-model.ts'

/** Flow that every consumer of a made loop is sized for, kg/s. */
export const DESIGN_KG_S = 1

const valve: ValveCharacteristic = {
  kind: 'equal-percentage',
  kvs: flowCoefficient(16),
  rangeability: 40,
}

/**
 * A loop of streets of eight consumers off one trunk, whose circuits take 10 to 25 kPa at the design flow. The same for
 * the same seed; other seeds have other lengths and circuits.
 */
export function makeLoop(consumers: number, seed = 1): LoopModel {
  const random = createRandom(seed)
  const pipes: PipeSpec[] = []
  const circuits: CircuitSpec[] = []
  const addPipe = (parent: number, lengthM: number, below: number): number =>
    pipes.push({
      parent,
      length: metre(lengthM * (0.6 + 0.8 * random())),
      innerDiameter: metre(0.045 * below ** 0.38),
      roughness: metre(0.0005),
      localLoss: 3,
      runs: 2,
    }) - 1
  let trunk = SOURCE
  for (let first = 0; first < consumers; first += 8) {
    trunk = addPipe(trunk, 40, consumers - first)
    let street = trunk
    const last = Math.min(consumers, first + 8)
    for (let consumer = first; consumer < last; consumer++) {
      street = addPipe(street, 25, last - consumer)
      circuits.push({ node: street, resistance: resistance(10_000 + 15_000 * random()) })
    }
  }
  const outcome = createTreeNetwork(pipes, circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`the made loop is no tree: ${outcome.kind}`)
  return {
    network: outcome.network,
    valves: circuits.map(() => valve),
    densityKgM3: WARM_WATER.densityKgM3,
  }
}

export const filled = (count: number, value: number): Float64Array => new Float64Array(count).fill(value)
