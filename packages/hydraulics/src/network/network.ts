import type { FrictionLaw } from '../elements/friction.ts'
import {
  findMistake,
  type LinkSpec,
  type NetworkMistake,
  type NetworkSpec,
  toCoefficients,
} from './network-spec.ts'
import { accumulate, createSparseLdl, type SparseLdl } from './sparse-ldl.ts'

/**
 * Any network as flat arrays, in the caller's order of nodes and links. After creation only `demand`, `givenPressure` (of nodes
 * that have one), `resistance` (of resistors), `speed` (of pumps) and `isShut` can be changed.
 */
export interface Network {
  readonly nodeCount: number
  readonly linkCount: number
  readonly friction: FrictionLaw
  /** Pressure of the water column below the node, ρ·g·z, Pa. */
  readonly column: Float64Array
  readonly isGiven: Uint8Array
  readonly givenPressure: Float64Array
  readonly demand: Float64Array
  readonly from: Int32Array
  readonly to: Int32Array
  /** Buoyancy of lighter water in a pipe along its upward flow, Pa: (ρ − ρ_pipe)·g·rise. */
  readonly buoyancy: Float64Array
  /** 1 shuts a link of any kind. */
  readonly isShut: Uint8Array
  /** Δp = (frictionScale·λ(reynoldsScale·ṁ) + resistance)·ṁ·|ṁ| − head of the pump. */
  readonly frictionScale: Float64Array
  readonly reynoldsScale: Float64Array
  readonly relativeRoughness: Float64Array
  readonly resistance: Float64Array
  readonly isPump: Uint8Array
  readonly h0: Float64Array
  readonly h1: Float64Array
  readonly h2: Float64Array
  readonly speed: Float64Array
  /** A typical flow, the first guess, kg/s. */
  readonly typicalFlow: Float64Array
  /** Links at each node: `linkAt` from `linkStart[node]` to `linkStart[node + 1]`. */
  readonly linkStart: Int32Array
  readonly linkAt: Int32Array
  /** Unknown of each node whose pressure is not given, else -1; value of each link in the equations, else -1. */
  readonly unknown: Int32Array
  readonly slot: Int32Array
  readonly equations: SparseLdl
}

export type NetworkOutcome = { readonly kind: 'network'; readonly network: Network } | NetworkMistake

/** Standard gravity, m/s². */
const GRAVITY = 9.80665
/** First guesses: about the speed of water in mains, m/s, and the flow of a link without a diameter, kg/s. */
const TYPICAL_SPEED = 0.5
const TYPICAL_FLOW = 1

function listLinksByNode(nodeCount: number, from: Int32Array, to: Int32Array) {
  const linkStart = new Int32Array(nodeCount + 1)
  for (const ends of [from, to]) for (const node of ends) linkStart[node + 1] = (linkStart[node + 1] ?? 0) + 1
  accumulate(linkStart)
  const next = linkStart.slice(0, nodeCount)
  const linkAt = new Int32Array(2 * from.length)
  for (const ends of [from, to])
    ends.forEach((node, link) => {
      const at = next[node] ?? 0
      linkAt[at] = link
      next[node] = at + 1
    })
  return { linkStart, linkAt }
}

/** Numbers the nodes without a given pressure and analyses their coupling by links. */
function createEquations(isGiven: Uint8Array, from: Int32Array, to: Int32Array) {
  let count = 0
  const unknown = Int32Array.from(isGiven, (given) => (given === 1 ? -1 : count++))
  const coupling = Int32Array.from(from.keys()).filter(
    (link) => (unknown[from[link] ?? 0] ?? -1) >= 0 && (unknown[to[link] ?? 0] ?? -1) >= 0,
  )
  const equations = createSparseLdl(
    count,
    coupling.map((link) => unknown[from[link] ?? 0] ?? 0),
    coupling.map((link) => unknown[to[link] ?? 0] ?? 0),
  )
  const slot = new Int32Array(from.length).fill(-1)
  coupling.forEach((link, pair) => {
    slot[link] = equations.slotOfPair[pair] ?? -1
  })
  return { unknown, slot, equations }
}

/** Builds the network; returns an error of the description as a tagged outcome with the node or link. */
export function createNetwork(spec: NetworkSpec): NetworkOutcome {
  const mistake = findMistake(spec)
  if (mistake !== undefined) return mistake
  const { nodes, links, fluid } = spec
  const coefficients = links.map((link) => toCoefficients(link, fluid))
  const from = Int32Array.from(links, (link) => link.from)
  const to = Int32Array.from(links, (link) => link.to)
  const isGiven = Uint8Array.from(nodes, ({ pressure }) => (pressure === undefined ? 0 : 1))
  const ofPumps = (read: (pump: LinkSpec & { kind: 'pump' }) => number) =>
    Float64Array.from(links, (link) => (link.kind === 'pump' ? read(link) : 0))
  const network: Network = {
    nodeCount: nodes.length,
    linkCount: links.length,
    friction: spec.friction,
    column: Float64Array.from(nodes, ({ height }) => fluid.densityKgM3 * GRAVITY * height),
    isGiven,
    givenPressure: Float64Array.from(nodes, ({ pressure }) => pressure ?? 0),
    demand: Float64Array.from(nodes, ({ demand }) => demand),
    from,
    to,
    buoyancy: Float64Array.from(links, (link, index) => {
      const rise = (nodes[link.to]?.height ?? 0) - (nodes[link.from]?.height ?? 0)
      return (coefficients[index]?.lightness ?? 0) * GRAVITY * rise
    }),
    isShut: new Uint8Array(links.length),
    frictionScale: Float64Array.from(coefficients, ({ frictionScale }) => frictionScale),
    reynoldsScale: Float64Array.from(coefficients, ({ reynoldsScale }) => reynoldsScale),
    relativeRoughness: Float64Array.from(coefficients, ({ relativeRoughness }) => relativeRoughness),
    resistance: Float64Array.from(links, (link, index) =>
      link.kind === 'resistor' ? link.resistance : (coefficients[index]?.local ?? 0),
    ),
    isPump: Uint8Array.from(links, ({ kind }) => (kind === 'pump' ? 1 : 0)),
    h0: ofPumps(({ curve }) => curve.h0),
    // Without a rise by rounding, which `findMistake` tolerates.
    h1: ofPumps(({ curve }) => Math.min(0, curve.h1)),
    h2: ofPumps(({ curve }) => Math.max(0, curve.h2)),
    speed: ofPumps(({ speed }) => speed),
    typicalFlow: Float64Array.from(links, (link) =>
      link.kind === 'pipe'
        ? (TYPICAL_SPEED * fluid.densityKgM3 * Math.PI * link.innerDiameter ** 2) / 4
        : TYPICAL_FLOW,
    ),
    ...listLinksByNode(nodes.length, from, to),
    ...createEquations(isGiven, from, to),
  }
  return { kind: 'network', network }
}
