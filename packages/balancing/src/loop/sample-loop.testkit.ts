import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { createLoop, type LoopModel } from './loop-model.ts'

const valve: ValveCharacteristic = {
  kind: 'equal-percentage',
  kvs: flowCoefficient(16),
  rangeability: 40,
}

/**
 * A loop of streets with eight consumers each on one trunk; circuits take 10 to 25 kPa at 1 kg/s. The same seed gives
 * the same loop; other seeds give other lengths and circuits.
 */
export function createSampleLoop(consumers: number, seed = 1): LoopModel {
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
  const outcome = createLoop(
    pipes,
    circuits,
    circuits.map(() => valve),
    WARM_WATER,
  )
  if (outcome.kind !== 'loop') throw new Error(`the sample loop is invalid: ${outcome.kind}`)
  return outcome.model
}

export const filled = (count: number, value: number): Float64Array => new Float64Array(count).fill(value)
