import type { LinkSpec } from '@isotherm/hydraulics/network/network-spec'
import type { Source } from '@isotherm/hydraulics/tree/solve-tree'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { metre, resistance } from '@isotherm/kernel/quantities'
import { type LoopFlows, solveLoop } from '../loop/loop-flows.ts'
import { createLoop, type LoopModel, pipeS, scalePipes, sumFlows } from '../loop/loop-model.ts'
import { solveDemands } from './invert-mesh.ts'

/**
 * A pipe that closes a ring: it ends where the tree pipes with these indices end, or at the source. Its `parent` is
 * not used.
 */
export interface ClosingPipe {
  readonly from: number
  readonly to: number
  readonly spec: PipeSpec
}

/** A loop with rings as a tree with the same head loss to every place at given flows. */
export interface SettledRings {
  readonly model: LoopModel
  /** Link of each tree pipe: the index of a given tree pipe, or, after those, the index of a closing pipe. */
  readonly link: readonly number[]
}

/** Range of the factor on a pipe's resistance when the tree has another flow in it than the ring. */
const SHARE = { min: 1e-4, max: 10 } as const

const toLink = (from: number, to: number, { length, runs, localLoss, ...pipe }: PipeSpec): LinkSpec => ({
  // Supply and return lie side by side and mirror each other, so one pipe of both lengths represents them.
  kind: 'pipe',
  from: from + 1,
  to: to + 1,
  length: metre(runs * length),
  localLoss: runs * localLoss,
  innerDiameter: pipe.innerDiameter,
  roughness: pipe.roughness,
})

const scaled = (spec: PipeSpec, factor: number): PipeSpec => ({
  ...spec,
  length: metre(factor * spec.length),
  localLoss: factor * spec.localLoss,
})

const circuitsOf = ({ circuitNode, circuitResistance, pipeCount }: LoopModel['network']): CircuitSpec[] =>
  Array.from(circuitNode, (node, i) => ({
    node: node === pipeCount ? SOURCE : node,
    resistance: resistance(circuitResistance[i] ?? 0),
  }))

/**
 * For given flows of the consumers (kg/s) a network with rings has one solution (invert-mesh.ts). This returns the
 * tree in which every place is connected to the pipe with the most flow, with resistances that give the losses of
 * that solution. It is exact at these flows and close near them, so all methods for trees work for rings. `factor`
 * multiplies the given links. Undefined if the network has no solution. Worked example: ring-mains.test.ts.
 */
export function settleRings(
  loop: LoopModel,
  closing: readonly ClosingPipe[],
  flowKgS: Float64Array,
  factor: ReadonlyMap<number, number> = new Map(),
): SettledRings | undefined {
  const specs = [...loop.pipes, ...closing.map(({ spec }) => spec)].map((spec, index) =>
    scaled(spec, factor.get(index) ?? 1),
  )
  const ends = [
    ...loop.pipes.map(({ parent }, pipe) => ({ from: parent, to: pipe })),
    ...closing.map(({ from, to }) => ({ from, to })),
  ]
  const links = specs.map((spec, index) =>
    toLink(ends[index]?.from ?? SOURCE, ends[index]?.to ?? SOURCE, spec),
  )
  const demand = new Float64Array(loop.pipes.length + 1)
  loop.network.circuitNode.forEach((node, i) => {
    const at = node === loop.network.pipeCount ? 0 : node + 1
    demand[at] = (demand[at] ?? 0) + (flowKgS[i] ?? 0)
  })
  const solved = solveDemands({ links, fluid: loop.fluid, friction: loop.network.friction }, demand, [0])
  if (solved.kind !== 'solved') return undefined
  const { nodePressure, linkFlow } = solved.state
  /** The link with the largest flow into each place, and where it comes from. */
  const best = loop.pipes.map((_, pipe) => ({ link: pipe, parent: ends[pipe]?.from ?? SOURCE, flow: 0 }))
  ends.forEach(({ from, to }, link) => {
    const flow = linkFlow[link] ?? 0
    const [up, down] = flow >= 0 ? [from, to] : [to, from]
    const there = best[down]
    if (there && Math.abs(flow) > there.flow) best[down] = { link, parent: up, flow: Math.abs(flow) }
  })
  const pipes = best.flatMap(({ link, parent }) => {
    const spec = specs[link]
    return spec ? [{ ...spec, parent }] : []
  })
  const outcome = createLoop(pipes, circuitsOf(loop.network), loop.valves, loop.fluid)
  if (outcome.kind !== 'loop') return undefined
  const { network } = outcome.model
  const treeFlow = sumFlows(network, flowKgS, new Float64Array(network.pipeCount))
  const share = treeFlow.map((flow, pipe) => {
    const lost = (nodePressure[(pipes[pipe]?.parent ?? SOURCE) + 1] ?? 0) - (nodePressure[pipe + 1] ?? 0)
    const whole = pipeS(network, pipe, flow) * flow * flow
    return whole > 0 ? Math.min(SHARE.max, Math.max(SHARE.min, lost / whole)) : 1
  })
  return { model: scalePipes(outcome.model, share), link: best.map(({ link }) => link) }
}

/** A loop as known: its tree, and the pipes that close rings. */
export interface MaybeRings {
  readonly loop: LoopModel
  readonly closing?: readonly ClosingPipe[] | undefined
}

/** The loop as a tree that is valid at these flows; a loop without rings is the tree itself. */
export const loopAt = ({ loop, closing }: MaybeRings, flowKgS: Float64Array): LoopModel =>
  closing === undefined || closing.length === 0 ? loop : (settleRings(loop, closing, flowKgS)?.model ?? loop)

/** Finds the tree of a loop that is valid at some flows, kg/s. */
type FindTree = (flowKgS: Float64Array) => LoopModel

/** Trees with what was learned at the present flows: factors stay with their pipes, circuits and valves unchanged. */
function learnTrees({ loop, closing }: MaybeRings, model: LoopModel, nowKgS: Float64Array): FindTree {
  const now = closing && closing.length > 0 ? settleRings(loop, closing, nowKgS) : undefined
  if (!closing || !now) return () => model
  const learned = new Map(
    now.link.map((link, pipe) => {
      const recorded = now.model.pipes[pipe]?.length ?? 0
      return [link, recorded > 0 ? (model.pipes[pipe]?.length ?? recorded) / recorded : 1] as const
    }),
  )
  const known = {
    ...loop,
    valves: model.valves,
    network: { ...loop.network, circuitResistance: model.network.circuitResistance },
  }
  return (flowKgS) => settleRings(known, closing, flowKgS, learned)?.model ?? model
}

/**
 * Converts a model identified at the present flows to other flows: learned factors stay with their pipes; circuits
 * and valves stay unchanged.
 */
export const moveTo = (
  rings: MaybeRings,
  model: LoopModel,
  nowKgS: Float64Array,
  thenKgS: Float64Array,
): LoopModel => learnTrees(rings, model, nowKgS)(thenKgS)

/** Flows of a loop at openings 0..1. */
export type SolveOpenings = (openings: Float64Array, source: Source) => LoopFlows

/** Iterations of the flows of a ring, and the relative change at which they end. */
const RING_ROUNDS = 20
const RING_TOLERANCE = 1e-4

const isNear = (one: Float64Array, other: Float64Array): boolean =>
  one.every((flow, i) => Math.abs(flow - (other[i] ?? 0)) <= RING_TOLERANCE * Math.max(flow, other[i] ?? 0))

/**
 * Solver for a loop with rings that was identified at the present flows (kg/s): it solves the tree that is valid at the
 * flows until they no longer change. A tree is solved once. Worked example: ring-mains.test.ts.
 */
export function createRingSolver(rings: MaybeRings, model: LoopModel, nowKgS: Float64Array): SolveOpenings {
  if (!rings.closing || rings.closing.length === 0)
    return (openings, source) => solveLoop(model, openings, source)
  const treeAt = learnTrees(rings, model, nowKgS)
  const treeNow = treeAt(nowKgS)
  return (openings, source) => {
    let flows = solveLoop(treeNow, openings, source)
    for (let round = 0; round < RING_ROUNDS; round++) {
      const next = solveLoop(treeAt(flows.flowKgS), openings, source)
      if (isNear(next.flowKgS, flows.flowKgS)) return next
      flows = next
    }
    return flows
  }
}
