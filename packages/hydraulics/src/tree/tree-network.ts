import type { Metre, Resistance } from '@isotherm/kernel/quantities'
import {
  type FrictionLaw,
  frictionFactor,
  SWAMEE_JAIN_FACTOR,
  TURBULENT_LIMIT,
} from '../elements/friction.ts'
import { MIN_ROUGH, toRoughLogarithm, toRoughScale } from '../elements/rough-wall.ts'
import type { Fluid } from '../elements/water.ts'

/**
 * One trench of the tree: `runs` equal pipes in series, 2 for supply and return. The node at its far end carries the
 * pipe's own index; `parent` is the index of the pipe it branches from, or SOURCE.
 */
export interface PipeSpec {
  readonly parent: number
  readonly length: Metre
  readonly innerDiameter: Metre
  readonly roughness: Metre
  /** Sum of local loss coefficients ζ of one run. */
  readonly localLoss: number
  readonly runs: number
}

/** A consumer circuit between supply and return at a node: radiators, riser, strainer, without its valve. */
export interface CircuitSpec {
  readonly node: number
  readonly resistance: Resistance
}

/** The parent of the first mains: the station's outlet. */
export const SOURCE = -1

/**
 * A two-pipe tree as flat arrays, in the caller's order of pipes and circuits. After creation only `circuitResistance` and
 * `valveResistance` (Pa/(kg/s)²) can be changed.
 */
export interface TreeNetwork {
  readonly pipeCount: number
  readonly circuitCount: number
  /** Pipe indices, parents before children. */
  readonly order: Int32Array
  /** Parent index of each pipe; `pipeCount` is the source. */
  readonly parent: Int32Array
  /** S = frictionScale·λ + localScale, Pa/(kg/s)². */
  readonly frictionScale: Float64Array
  readonly localScale: Float64Array
  /** Re = reynoldsScale·ṁ. */
  readonly reynoldsScale: Float64Array
  readonly relativeRoughness: Float64Array
  /** S at a typical speed, the first guess. */
  readonly typicalResistance: Float64Array
  readonly friction: FrictionLaw
  /** Node of each circuit; `pipeCount` is the source. */
  readonly circuitNode: Int32Array
  readonly circuitResistance: Float64Array
  /** Infinity closes a circuit. */
  readonly valveResistance: Float64Array
  readonly sweep: SweepOrder
}

/** Data of pipes and circuits for the solver, by place in `order`, so that it reads each array sequentially. */
interface SweepOrder {
  /** Place of each pipe. */
  readonly place: Int32Array
  /** Place of each pipe's parent; `pipeCount` is the source. */
  readonly parent: Int32Array
  readonly circuitPlace: Int32Array
  readonly frictionScale: Float64Array
  readonly localScale: Float64Array
  readonly reynoldsScale: Float64Array
  readonly relativeRoughness: Float64Array
  readonly typicalResistance: Float64Array
  /** Turbulent S = tabledScale/(roughLog + ln(1 + t^-0.9))² + localScale with t = roughScale·ṁ, by the table of rough walls. */
  readonly roughScale: Float64Array
  readonly roughLog: Float64Array
  readonly tabledScale: Float64Array
  /** Smallest ṁ, kg/s, from which the table applies; Infinity for other laws. */
  readonly minTabled: Float64Array
}

export type TreeOutcome =
  | { readonly kind: 'tree'; readonly network: TreeNetwork }
  | { readonly kind: 'unknown-parent'; readonly pipe: number }
  | { readonly kind: 'unknown-node'; readonly circuit: number }
  | { readonly kind: 'cycle'; readonly pipe: number }
  /** A size is negative, roughness is as wide as the pipe, a size is zero where it must not be, or so large or small that its resistance is no finite number. */
  | { readonly kind: 'bad-pipe'; readonly pipe: number }
  /** A resistance is negative or not a number. */
  | { readonly kind: 'bad-circuit'; readonly circuit: number }
  /** Density or viscosity is not above zero. */
  | { readonly kind: 'bad-fluid' }

/** Parents before children, or the first pipe that never reaches the source. */
function orderFromSource(parent: Int32Array): Int32Array | number {
  const count = parent.length
  // Children of each node as a chain; built backwards, so that it runs in the order of the pipes.
  const firstChild = new Int32Array(count + 1).fill(-1)
  const nextChild = new Int32Array(count)
  for (let pipe = count - 1; pipe >= 0; pipe--) {
    const up = parent[pipe] ?? count
    nextChild[pipe] = firstChild[up] ?? -1
    firstChild[up] = pipe
  }
  const order = new Int32Array(count)
  let written = 0
  for (let read = -1; read < written; read++) {
    let child = firstChild[read < 0 ? count : (order[read] ?? 0)] ?? -1
    for (; child >= 0; child = nextChild[child] ?? -1) order[written++] = child
  }
  if (written === count) return order
  const isReached = new Uint8Array(count)
  for (const pipe of order.subarray(0, written)) isReached[pipe] = 1
  return isReached.indexOf(0)
}

/** First guess of the speed of the water, m/s. */
const TYPICAL_SPEED = 0.5

/** S = frictionScale·λ(reynoldsScale·ṁ) + localScale: (8/ρπ²D⁴)·(λL/D + ζ) for each run, Re = 4ṁ/(πDμ). */
function toCoefficients(pipes: readonly PipeSpec[], { densityKgM3, viscosityPaS }: Fluid, law: FrictionLaw) {
  const count = pipes.length
  const coefficients = {
    frictionScale: new Float64Array(count),
    localScale: new Float64Array(count),
    reynoldsScale: new Float64Array(count),
    relativeRoughness: new Float64Array(count),
    typicalResistance: new Float64Array(count),
  }
  const { frictionScale, localScale, reynoldsScale, relativeRoughness, typicalResistance } = coefficients
  pipes.forEach(({ length, innerDiameter, roughness, localLoss, runs }, pipe) => {
    const dynamic = (8 * runs) / (densityKgM3 * Math.PI ** 2 * innerDiameter ** 4)
    const friction = (dynamic * length) / innerDiameter
    const reynolds = (TYPICAL_SPEED * densityKgM3 * innerDiameter) / viscosityPaS
    const factor = frictionFactor(reynolds, roughness / innerDiameter, law)
    frictionScale[pipe] = friction
    localScale[pipe] = dynamic * localLoss
    reynoldsScale[pipe] = 4 / (Math.PI * innerDiameter * viscosityPaS)
    relativeRoughness[pipe] = roughness / innerDiameter
    typicalResistance[pipe] = friction * factor + dynamic * localLoss
  })
  return coefficients
}

type Coefficients = ReturnType<typeof toCoefficients>

/** Index values of a pipe in the table of rough walls. */
function toTabled(
  { frictionScale, reynoldsScale, relativeRoughness }: Coefficients,
  law: FrictionLaw,
): Pick<SweepOrder, 'roughScale' | 'roughLog' | 'tabledScale' | 'minTabled'> {
  const roughScale = reynoldsScale.map((scale, k) => scale * toRoughScale(relativeRoughness[k] ?? 0))
  const toLeast = (scale: number, k: number) =>
    Math.max(TURBULENT_LIMIT / scale, MIN_ROUGH / (roughScale[k] ?? 0))
  return {
    roughScale,
    roughLog: relativeRoughness.map(toRoughLogarithm),
    tabledScale: frictionScale.map((scale) => scale * SWAMEE_JAIN_FACTOR),
    minTabled: reynoldsScale.map(law === 'swamee-jain' ? toLeast : () => Number.POSITIVE_INFINITY),
  }
}

function toSweepOrder(
  order: Int32Array,
  parent: Int32Array,
  circuitNode: Int32Array,
  coefficients: Coefficients,
  law: FrictionLaw,
): SweepOrder {
  const count = order.length
  const place = new Int32Array(count + 1)
  place[count] = count
  order.forEach((pipe, at) => {
    place[pipe] = at
  })
  const arrange = (values: Float64Array) => {
    const arranged = new Float64Array(count)
    order.forEach((pipe, at) => {
      arranged[at] = values[pipe] ?? 0
    })
    return arranged
  }
  const arranged = {
    frictionScale: arrange(coefficients.frictionScale),
    localScale: arrange(coefficients.localScale),
    reynoldsScale: arrange(coefficients.reynoldsScale),
    relativeRoughness: arrange(coefficients.relativeRoughness),
    typicalResistance: arrange(coefficients.typicalResistance),
  }
  return {
    place,
    parent: order.map((pipe) => place[parent[pipe] ?? count] ?? count),
    circuitPlace: circuitNode.map((node) => place[node] ?? count),
    ...arranged,
    ...toTabled(arranged, law),
  }
}

const isPipeSound = ({ length, innerDiameter, roughness, localLoss, runs }: PipeSpec): boolean =>
  length >= 0 && innerDiameter > roughness && roughness >= 0 && localLoss >= 0 && runs > 0

/** The first pipe with an invalid size or a resistance that is not finite; undefined without one. */
function findBadPipe(pipes: readonly PipeSpec[], coefficients: Coefficients): number {
  const { typicalResistance, reynoldsScale, relativeRoughness } = coefficients
  return pipes.findIndex((pipe, index) => {
    const made =
      (typicalResistance[index] ?? 0) + (reynoldsScale[index] ?? 0) + (relativeRoughness[index] ?? 0)
    return !(isPipeSound(pipe) && Number.isFinite(made))
  })
}

/** Builds the network. Pipes may come in any order; foreseeable mistakes come back as tagged outcomes. */
export function createTreeNetwork(
  pipes: readonly PipeSpec[],
  circuits: readonly CircuitSpec[],
  fluid: Fluid,
  friction: FrictionLaw = 'swamee-jain',
): TreeOutcome {
  const count = pipes.length
  const isNode = (index: number) => Number.isInteger(index) && index >= SOURCE && index < count
  if (!(fluid.densityKgM3 > 0 && fluid.viscosityPaS > 0)) return { kind: 'bad-fluid' }
  const orphan = pipes.findIndex((pipe) => !isNode(pipe.parent))
  if (orphan >= 0) return { kind: 'unknown-parent', pipe: orphan }
  const coefficients = toCoefficients(pipes, fluid, friction)
  const unsound = findBadPipe(pipes, coefficients)
  if (unsound >= 0) return { kind: 'bad-pipe', pipe: unsound }
  const lost = circuits.findIndex((circuit) => !isNode(circuit.node))
  if (lost >= 0) return { kind: 'unknown-node', circuit: lost }
  const broken = circuits.findIndex((circuit) => !(circuit.resistance >= 0))
  if (broken >= 0) return { kind: 'bad-circuit', circuit: broken }

  const slot = (index: number) => (index === SOURCE ? count : index)
  const parent = Int32Array.from(pipes, (pipe) => slot(pipe.parent))
  const order = orderFromSource(parent)
  if (typeof order === 'number') return { kind: 'cycle', pipe: order }
  const circuitNode = Int32Array.from(circuits, (circuit) => slot(circuit.node))
  return {
    kind: 'tree',
    network: {
      pipeCount: count,
      circuitCount: circuits.length,
      order,
      parent,
      friction,
      ...coefficients,
      circuitNode,
      circuitResistance: Float64Array.from(circuits, (circuit) => circuit.resistance),
      valveResistance: new Float64Array(circuits.length),
      sweep: toSweepOrder(order, parent, circuitNode, coefficients, friction),
    },
  }
}
