import { metre, pascal, resistance } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { expectReported } from '@isotherm/kernel/verification.testkit'
import { expect, it } from 'vitest'
import { WARM_WATER } from '../elements/water.ts'
import { createTreeState, DEFAULT_SOLVE, solveTree } from '../tree/solve-tree.ts'
import { createTreeNetwork, SOURCE } from '../tree/tree-network.ts'
import {
  createEpanetWorkspace,
  openInEpanet,
  type TwoPipeTree,
  toNetworkSpec,
} from '../tree/two-pipe-tree.testkit.ts'
import { createNetwork } from './network.ts'
import { createNetworkState, solveNetwork } from './solve-network.ts'

const TREES = 200
const BOUND = 1e-4
/** The strictest accuracy that EPANET accepts. */
const EPANET_ACCURACY = 1e-5

/** Consumers below each pipe, its own node's included; parents come before children. */
function countBelow(parents: readonly number[], nodes: readonly number[]): readonly number[] {
  const below = parents.map((_, pipe) => nodes.filter((node) => node === pipe).length)
  for (let pipe = parents.length - 1; pipe >= 0; pipe--) {
    const parent = parents[pipe] ?? SOURCE
    if (parent !== SOURCE) below[parent] = (below[parent] ?? 0) + (below[pipe] ?? 0)
  }
  return below
}

/**
 * Any tree of 3 to 60 trenches with circuits that differ up to a hundredfold. Pipes are roughly sized for the flow below
 * them, because EPANET replaces its law of loss by a straight line near zero flow.
 */
function drawTree(seed: number): TwoPipeTree {
  const random = createRandom(seed)
  const between = (low: number, high: number): number => low + (high - low) * random()
  const count = Math.floor(between(3, 61))
  const parents = Array.from({ length: count }, (_, index) => Math.floor(between(SOURCE, index)))
  const nodes = Array.from({ length: Math.floor(between(2, 2 * count)) }, () => Math.floor(between(0, count)))
  const pipes = countBelow(parents, nodes).map((consumers, index) => ({
    parent: parents[index] ?? SOURCE,
    length: metre(between(5, 100)),
    innerDiameter: metre(between(0.05, 0.1) * Math.sqrt(Math.max(1, consumers))),
    roughness: metre(between(1e-5, 1e-3)),
    localLoss: 0,
    runs: 2,
  }))
  return {
    pipes,
    circuits: nodes.map((node) => ({ node, resistance: resistance(10 ** between(3, 5)) })),
    valveResistance: nodes.map(() => 10 ** between(2, 5)),
    headPa: between(20_000, 300_000),
  }
}

function solveAsTree({ pipes, circuits, valveResistance, headPa }: TwoPipeTree): readonly number[] {
  const outcome = createTreeNetwork(pipes, circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  outcome.network.valveResistance.set(valveResistance)
  const state = createTreeState(outcome.network)
  const source = { kind: 'head', head: pascal(headPa) } as const
  expect(solveTree(outcome.network, state, source, { ...DEFAULT_SOLVE, tolerance: 1e-10 })).toBe('solved')
  return [...state.circuitFlow]
}

function solveAsNetwork(tree: TwoPipeTree): readonly number[] {
  const outcome = createNetwork(toNetworkSpec(tree))
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  const state = createNetworkState(outcome.network)
  expect(solveNetwork(outcome.network, state)).toBe('solved')
  return [...state.linkFlow.subarray(-tree.circuits.length)]
}

/** Largest relative difference of a flow. */
function compare(ours: readonly number[], theirs: readonly number[]): number {
  expect(theirs).toHaveLength(ours.length)
  return Math.max(...ours.map((flow, index) => Math.abs(flow - (theirs[index] ?? Number.NaN)) / flow))
}

it(`finds every flow of ${TREES} random trees within 1e-4 of EPANET's, as a tree and as a network`, async () => {
  const workspace = await createEpanetWorkspace()
  const found = { epanet: 0, between: 0, circuits: 0, pipes: 0 }
  for (let seed = 1; seed <= TREES; seed++) {
    const tree = drawTree(seed)
    const asTree = solveAsTree(tree)
    const epanet = openInEpanet(workspace, tree, EPANET_ACCURACY)
    epanet.solve()
    const off = compare(asTree, epanet.readFlows())
    epanet.close()
    const between = compare(asTree, solveAsNetwork(tree))
    expect(off, `EPANET, tree ${seed}`).toBeLessThan(BOUND)
    expect(between, `both solvers, tree ${seed}`).toBeLessThan(1e-7)
    found.epanet = Math.max(found.epanet, off)
    found.between = Math.max(found.between, between)
    found.circuits += asTree.length
    found.pipes += tree.pipes.length
  }
  expectReported({
    id: 'hydraulics-epanet-random',
    title: 'Random two-pipe trees: both solvers against EPANET',
    about: [
      'Largest relative difference of a consumer’s flow, solved in the same run by [epanet-js](https://github.com/epanet-js)',
      '0.9.0 (MIT; OWA-EPANET 2.2, accuracy 10⁻⁵). Bound 1·10⁻⁴; between our two solvers 1·10⁻⁷.',
    ].join('\n'),
    head: [
      'trees',
      'trenches',
      'consumers',
      'tree solver against EPANET',
      'tree solver against network solver',
    ],
    rows: [
      [
        String(TREES),
        String(found.pipes),
        String(found.circuits),
        found.epanet.toExponential(1),
        // The remaining difference is rounding.
        found.between < 1e-9 ? 'below 1e-9' : found.between.toExponential(1),
      ],
    ],
  })
})
