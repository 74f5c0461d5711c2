import type { LinkSpec } from '@isotherm/hydraulics/network/network-spec'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { metre, resistance } from '@isotherm/kernel/quantities'
import { createLoop, type LoopModel, pipeS, scalePipes, sumFlows } from '../loop/loop-model.ts'
import { solveDemands } from './invert-mesh.ts'

/** A pipe that closes a ring: it ends where the tree's pipes of these indices do, or at the source. `parent` says nothing. */
export interface ClosingPipe {
  readonly from: number
  readonly to: number
  readonly spec: PipeSpec
}

/** A loop with rings as the tree that loses the same head on the way to every place at given flows. */
export interface SettledRings {
  readonly model: LoopModel
  /** By pipe of the tree, the link that stands for it: a pipe of the tree as given, or behind these one that closes a ring. */
  readonly link: readonly number[]
}

/** Share of a pipe's resistance between which a tree that carries another flow through it may have it. */
const SHARE = { least: 1e-4, most: 10 } as const

const toLink = (from: number, to: number, { length, runs, localLoss, ...pipe }: PipeSpec): LinkSpec => ({
  // Supply and return lie side by side: their flows mirror each other, and one pipe of both lengths stands for them.
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
 * Where consumers take these flows (kg/s), a network with rings has one solution (invert-mesh.ts). The tree in which every
 * place hangs on the pipe that brings it most, with resistances for that solution's losses, is exact there and near it
 * close: so that all that is known of trees holds for rings. `factor` multiplies links as they are given. Undefined where
 * the network has no solution. Worked example: ring-mains.test.ts.
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
  /** The link that brings most to each place, and from where. */
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
    return whole > 0 ? Math.min(SHARE.most, Math.max(SHARE.least, lost / whole)) : 1
  })
  return { model: scalePipes(outcome.model, share), link: best.map(({ link }) => link) }
}

/** What a loop is known by: its tree, and the pipes that close rings of it. */
export interface MaybeRings {
  readonly loop: LoopModel
  readonly closing?: readonly ClosingPipe[] | undefined
}

/** The loop as a tree that holds at these flows; of one without rings it is the tree itself. */
export const loopAt = ({ loop, closing }: MaybeRings, flowKgS: Float64Array): LoopModel =>
  closing === undefined || closing.length === 0 ? loop : (settleRings(loop, closing, flowKgS)?.model ?? loop)

/**
 * A model that was identified at the flows of now, for other flows: what was learned of pipes stays with the pipes,
 * circuits and valves stay as they are.
 */
export function moveTo(
  { loop, closing }: MaybeRings,
  model: LoopModel,
  nowKgS: Float64Array,
  thenKgS: Float64Array,
): LoopModel {
  const now = closing && closing.length > 0 ? settleRings(loop, closing, nowKgS) : undefined
  if (!closing || !now) return model
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
  return settleRings(known, closing, thenKgS, learned)?.model ?? model
}
