import type { Metre, Resistance } from '@isotherm/kernel/quantities'
import { type FrictionLaw, frictionFactor } from './friction.ts'
import type { Fluid } from './water.ts'

export type { Fluid } from './water.ts'
export { WARM_WATER } from './water.ts'

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

/** A consumer circuit between supply and return at a node: radiators, riser, strainer; its valve comes on top. */
export interface CircuitSpec {
  readonly node: number
  readonly resistance: Resistance
}

/** The parent of the first mains: the station's outlet. */
export const SOURCE = -1

/**
 * A two-pipe tree as flat arrays, indexed as the caller gave pipes and circuits. Build it once; only
 * `circuitResistance` and `valveResistance` (Pa/(kg/s)²) are meant to be written afterwards.
 */
export interface TreeNetwork {
  readonly pipeCount: number
  readonly circuitCount: number
  /** Pipe indices, parents before children. */
  readonly order: Int32Array
  /** Parent index of each pipe; `pipeCount` stands for the source. */
  readonly parent: Int32Array
  /** S = frictionScale·λ + localScale, Pa/(kg/s)². */
  readonly frictionScale: Float64Array
  readonly localScale: Float64Array
  /** Re = reynoldsScale·ṁ. */
  readonly reynoldsScale: Float64Array
  readonly relativeRoughness: Float64Array
  /** S at an everyday speed, the first guess. */
  readonly typicalResistance: Float64Array
  readonly friction: FrictionLaw
  /** Node of each circuit; `pipeCount` stands for the source. */
  readonly circuitNode: Int32Array
  readonly circuitResistance: Float64Array
  /** Infinity closes a circuit. */
  readonly valveResistance: Float64Array
}

export type TreeOutcome =
  | { readonly kind: 'tree'; readonly network: TreeNetwork }
  | { readonly kind: 'unknown-parent'; readonly pipe: number }
  | { readonly kind: 'unknown-node'; readonly circuit: number }
  | { readonly kind: 'cycle'; readonly pipe: number }
  /** A size is negative, zero where it must not be, or so large or small that its resistance is no finite number. */
  | { readonly kind: 'bad-pipe'; readonly pipe: number }
  /** A resistance below zero or none. */
  | { readonly kind: 'bad-circuit'; readonly circuit: number }
  /** Density or viscosity is not above zero. */
  | { readonly kind: 'bad-fluid' }

/** Parents before children, or the first pipe that never reaches the source. */
function orderFromSource(parent: Int32Array): Int32Array | number {
  const count = parent.length
  const childrenOf: number[][] = Array.from({ length: count + 1 }, () => [])
  parent.forEach((at, pipe) => {
    childrenOf[at]?.push(pipe)
  })
  const order = new Int32Array(count)
  let written = 0
  for (const pipe of childrenOf[count] ?? []) order[written++] = pipe
  for (let read = 0; read < written; read++) {
    for (const child of childrenOf[order[read] ?? 0] ?? []) order[written++] = child
  }
  if (written === count) return order
  const reached = new Set(order.subarray(0, written))
  return parent.findIndex((_, pipe) => !reached.has(pipe))
}

/** First guess of the speed of the water, m/s. */
const TYPICAL_SPEED = 0.5

/** S = frictionScale·λ(reynoldsScale·ṁ) + localScale: (8/ρπ²D⁴)·(λL/D + ζ) for each run, Re = 4ṁ/(πDμ). */
function toCoefficients(pipe: PipeSpec, { densityKgM3, viscosityPaS }: Fluid, law: FrictionLaw) {
  const { length, innerDiameter, roughness, localLoss, runs } = pipe
  const dynamic = (8 * runs) / (densityKgM3 * Math.PI ** 2 * innerDiameter ** 4)
  const frictionScale = (dynamic * length) / innerDiameter
  const localScale = dynamic * localLoss
  const relativeRoughness = roughness / innerDiameter
  const reynolds = (TYPICAL_SPEED * densityKgM3 * innerDiameter) / viscosityPaS
  return {
    frictionScale,
    localScale,
    relativeRoughness,
    reynoldsScale: 4 / (Math.PI * innerDiameter * viscosityPaS),
    typicalResistance: frictionScale * frictionFactor(reynolds, relativeRoughness, law) + localScale,
  }
}

type Coefficients = ReturnType<typeof toCoefficients>

const isPipeSound = (pipe: PipeSpec, coefficients: Coefficients | undefined): boolean =>
  pipe.length >= 0 &&
  pipe.innerDiameter > 0 &&
  pipe.roughness >= 0 &&
  pipe.localLoss >= 0 &&
  pipe.runs > 0 &&
  Object.values(coefficients ?? {}).every(Number.isFinite)

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
  const coefficients = pipes.map((pipe) => toCoefficients(pipe, fluid, friction))
  const unsound = pipes.findIndex((pipe, index) => !isPipeSound(pipe, coefficients[index]))
  if (unsound >= 0) return { kind: 'bad-pipe', pipe: unsound }
  const lost = circuits.findIndex((circuit) => !isNode(circuit.node))
  if (lost >= 0) return { kind: 'unknown-node', circuit: lost }
  const broken = circuits.findIndex((circuit) => !(circuit.resistance >= 0))
  if (broken >= 0) return { kind: 'bad-circuit', circuit: broken }

  const slot = (index: number) => (index === SOURCE ? count : index)
  const parent = Int32Array.from(pipes, (pipe) => slot(pipe.parent))
  const order = orderFromSource(parent)
  if (typeof order === 'number') return { kind: 'cycle', pipe: order }
  const gather = (name: keyof Coefficients) => Float64Array.from(coefficients, (pipe) => pipe[name])
  return {
    kind: 'tree',
    network: {
      pipeCount: count,
      circuitCount: circuits.length,
      order,
      parent,
      friction,
      frictionScale: gather('frictionScale'),
      localScale: gather('localScale'),
      reynoldsScale: gather('reynoldsScale'),
      relativeRoughness: gather('relativeRoughness'),
      typicalResistance: gather('typicalResistance'),
      circuitNode: Int32Array.from(circuits, (circuit) => slot(circuit.node)),
      circuitResistance: Float64Array.from(circuits, (circuit) => circuit.resistance),
      valveResistance: new Float64Array(circuits.length),
    },
  }
}
