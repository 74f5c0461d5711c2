import type { LinkSpec, NetworkSpec, NodeSpec } from '@isotherm/hydraulics/network-spec'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree-network'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'

/** A made two-pipe tree: mains along the street, a branch to each building, every pipe sized for what it feeds. */
export interface MadeNetwork {
  readonly pipes: readonly PipeSpec[]
  readonly circuits: readonly CircuitSpec[]
  /** Of the valve in each circuit, Pa/(kg/s)². */
  readonly valveResistance: readonly number[]
  readonly headPa: number
}

const BUILDINGS_PER_STREET = 20
/** What pipes are sized for: a flow for each building below, kg/s, at a speed of at most this, m/s. */
const BUILDING_KG_S = 5
const HIGHEST_M_S = 1.2
const HEAD_PA = 150_000
/** Diameters come in steps of a fifth: the next larger one is taken. */
const SIZE_STEP = 1.2

function toDiameter(buildings: number): number {
  const flow = BUILDING_KG_S * buildings
  const least = Math.sqrt((4 * flow) / (Math.PI * WARM_WATER.densityKgM3 * HIGHEST_M_S))
  return SIZE_STEP ** Math.ceil(Math.log(least) / Math.log(SIZE_STEP))
}

/** `buildings` consumers on streets of twenty which leave one trunk; the same for the same seed. */
export function makeNetwork(buildings: number, seed = 1): MadeNetwork {
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

/** EPANET counts with a gravity of 32.2 ft/s² and viscosity relative to 1.1e-5 ft²/s. */
const GRAVITY = 32.2 * 0.3048
const VISCOSITY_M2_S = 1.1e-5 * 0.3048 ** 2
const VALVE_DIAMETER_M = 0.05

/** The same network as an EPANET input: supply and return pipes, circuit and valve as one throttle. */
export function toEpanetInput({ pipes, circuits, valveResistance, headPa }: MadeNetwork): string {
  const { densityKgM3, viscosityPaS } = WARM_WATER
  const area = (Math.PI / 4) * VALVE_DIAMETER_M ** 2
  const name = (side: 'S' | 'R', index: number): string => `${side}${index + 1}`
  const lines = [
    '[JUNCTIONS]',
    ...pipes.flatMap((_, index) => [`${name('S', index)} 0 0`, `${name('R', index)} 0 0`]),
    '[RESERVOIRS]',
    `S0 ${headPa / (densityKgM3 * GRAVITY)}`,
    'R0 0',
    '[PIPES]',
    ...pipes.flatMap((pipe, index) => {
      const size = `${pipe.length} ${pipe.innerDiameter * 1000} ${pipe.roughness * 1000} 0 Open`
      return [
        `PS${index + 1} ${name('S', pipe.parent)} ${name('S', index)} ${size}`,
        `PR${index + 1} ${name('R', index)} ${name('R', pipe.parent)} ${size}`,
      ]
    }),
    '[VALVES]',
    ...circuits.map(({ node, resistance: own }, index) => {
      const loss = 2 * densityKgM3 * area ** 2 * (own + (valveResistance[index] ?? 0))
      return `V${index + 1} ${name('S', node)} ${name('R', node)} ${VALVE_DIAMETER_M * 1000} TCV ${loss} 0`
    }),
    '[OPTIONS]',
    'Units LPS',
    'Headloss D-W',
    `Viscosity ${viscosityPaS / densityKgM3 / VISCOSITY_M2_S}`,
    'Specific Gravity 1',
    'Accuracy 0.0001',
    '[TIMES]',
    'Duration 0',
    '[END]',
  ]
  return lines.join('\n')
}

/** The same network for the solver of any network: supply and return pipes, the valves last. */
export function toNetworkSpec({ pipes, circuits, valveResistance, headPa }: MadeNetwork): NetworkSpec {
  const given = (pressure: number): NodeSpec => ({
    height: metre(0),
    pressure: pascalGauge(pressure),
    demand: kilogramPerSecond(0),
  })
  const free: NodeSpec = { height: metre(0), demand: kilogramPerSecond(0) }
  // Node 2·i is the supply's end of pipe i − 1, node 2·i + 1 the return's; 0 and 1 are the source.
  const at = (pipe: number): number => 2 * (pipe + 1)
  const lines = pipes.flatMap((pipe, index): LinkSpec[] => [
    { kind: 'pipe', ...pipe, from: at(pipe.parent), to: at(index) },
    { kind: 'pipe', ...pipe, from: at(index) + 1, to: at(pipe.parent) + 1 },
  ])
  const valves = circuits.map(
    ({ node, resistance: own }, index): LinkSpec => ({
      kind: 'resistor',
      from: at(node),
      to: at(node) + 1,
      resistance: resistance(own + (valveResistance[index] ?? 0)),
    }),
  )
  return {
    nodes: [given(headPa), given(0), ...pipes.flatMap(() => [free, free])],
    links: [...lines, ...valves],
    fluid: WARM_WATER,
    friction: 'swamee-jain',
  }
}
