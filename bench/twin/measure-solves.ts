import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createNetwork } from '@isotherm/hydraulics/network/network'
import { createNetworkState, solveNetwork } from '@isotherm/hydraulics/network/solve-network'
import { createTreeState, DEFAULT_SOLVE, solveTree } from '@isotherm/hydraulics/tree/solve-tree'
import { createTreeNetwork, type TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'
import {
  createEpanetWorkspace,
  openInEpanet,
  type TwoPipeTree,
  toNetworkSpec,
} from '@isotherm/hydraulics/tree/two-pipe-tree.testkit'
import { pascal } from '@isotherm/kernel/quantities'
import { generateNetwork } from './generate-network.ts'

/** Relative change of flow at which all solvers stop. EPANET's default is ten times as high. */
const ACCURACY = 1e-4

/** Shortest time of `repeats` calls, ms. Other load on the machine can only make a call longer. */
function measure(repeats: number, call: () => void): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    const started = performance.now()
    call()
    fastest = Math.min(fastest, performance.now() - started)
  }
  return fastest
}

/** Number of passes over all solvers. The machine's speed varies by half within seconds, so each is measured often. */
const PASSES = 12

/** Measures several calls alternately, so that the machine's speed affects all of them equally. Returns ms. */
function measureAlternately<Name extends string>(
  calls: Readonly<Record<Name, readonly [repeats: number, call: () => void]>>,
): Record<Name, number> {
  const names = Object.keys(calls) as Name[]
  const fastest = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let pass = 0; pass < PASSES; pass++)
    for (const name of names) {
      const [repeats, call] = calls[name]
      fastest[name] = Math.min(fastest[name], measure(repeats, call))
    }
  return fastest
}

/** The calls of one solver that are timed. */
interface TimedSolver {
  /** Solves a network that is already in memory, without a previous solution. */
  readonly solve: () => void
  /** Moves every valve, solves without a previous solution, and reads the flow of every consumer. */
  readonly moveSolveRead: () => void
  /** Builds the network from its description and solves it. */
  readonly buildAndSolve: () => void
  /** Flows of the consumers, kg/s. */
  readonly readFlows: () => readonly number[]
}

interface TimedTreeSolver extends TimedSolver {
  /** Moves one valve in a hundred and solves from the previous solution, like the twin. */
  readonly warm: () => void
  readonly readExact: () => readonly number[]
}

function buildTree(tree: TwoPipeTree): TreeNetwork {
  const outcome = createTreeNetwork(tree.pipes, tree.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`The generated network is no tree: ${outcome.kind}`)
  outcome.network.valveResistance.set(tree.valveResistance)
  return outcome.network
}

/** Our solver for trees. Like EPANET it does not reuse the previous solution, except in `warm`. */
function timeTreeSolver(tree: TwoPipeTree): TimedTreeSolver {
  const source = { kind: 'head', head: pascal(tree.headPa) } as const
  const options = { ...DEFAULT_SOLVE, tolerance: ACCURACY }
  const readCold = (network: TreeNetwork, state = createTreeState(network), tolerance = ACCURACY) => {
    network.valveResistance.set(tree.valveResistance)
    state.pipeFlow.fill(0)
    const solved = solveTree(network, state, source, { ...options, tolerance })
    if (solved !== 'solved') throw new Error(`The generated network is ${solved}`)
    return [...state.circuitFlow]
  }
  const network = buildTree(tree)
  const state = createTreeState(network)
  const solve = () => {
    state.pipeFlow.fill(0)
    solveTree(network, state, source, options)
  }
  let pass = 0
  return {
    solve,
    moveSolveRead: () => {
      network.valveResistance.set(tree.valveResistance)
      solve()
      state.circuitFlow.slice()
    },
    warm: () => {
      const factor = pass++ % 2 === 0 ? 1.2 : 1
      for (let valve = 0; valve < tree.valveResistance.length; valve += 100)
        network.valveResistance[valve] = factor * (tree.valveResistance[valve] ?? 0)
      solveTree(network, state, source, options)
    },
    buildAndSolve: () => readCold(buildTree(tree)),
    readFlows: () => readCold(network, state),
    readExact: () => readCold(network, state, 1e-11),
  }
}

/** Our solver for any network, on the same tree with separate supply and return pipes, without a previous solution. */
function timeNetworkSolver(tree: TwoPipeTree): Pick<TimedSolver, 'solve' | 'readFlows'> {
  const outcome = createNetwork(toNetworkSpec(tree))
  if (outcome.kind !== 'network') throw new Error(`The generated description is no network: ${outcome.kind}`)
  const { network } = outcome
  const state = createNetworkState(network)
  const solve = () => {
    state.linkFlow.fill(0)
    const solved = solveNetwork(network, state, { tolerance: ACCURACY, maxIterations: 60 })
    if (solved !== 'solved') throw new Error(`The generated network is ${solved}`)
  }
  return {
    solve,
    readFlows: () => {
      solve()
      return [...state.linkFlow.subarray(-tree.circuits.length)]
    },
  }
}

async function timeEpanet(tree: TwoPipeTree): Promise<TimedSolver> {
  const workspace = await createEpanetWorkspace()
  const buildAndSolve = () => {
    const read = openInEpanet(workspace, tree, ACCURACY)
    read.solve()
    read.close()
  }
  buildAndSolve()
  const read = openInEpanet(await createEpanetWorkspace(), tree, ACCURACY)
  return {
    solve: read.solve,
    moveSolveRead: () => {
      read.setValves(tree.valveResistance)
      read.solve()
      read.readFlows()
    },
    buildAndSolve,
    readFlows: () => {
      read.setValves(tree.valveResistance)
      read.solve()
      return read.readFlows()
    },
  }
}

/** Largest relative error of a consumer's flow. @throws above 0.1 %, because then a solver has another network */
function compare(flows: readonly number[], exact: readonly number[]): number {
  if (flows.length !== exact.length) throw new Error(`${flows.length} flows against ${exact.length}`)
  const largest = Math.max(...exact.map((flow, index) => Math.abs((flows[index] ?? 0) - flow) / flow))
  if (!(largest < 1e-3)) throw new Error(`Flows differ by up to ${largest}`)
  return largest
}

const ratio = (otherMs: number, ourMs: number): string => (otherMs / ourMs).toFixed(0)

/** Figures, peers and notes about solving networks of 100, 1,000 and 10,000 buildings. */
export async function measureSolves() {
  const [small, middle, large] = [generateNetwork(100), generateNetwork(1_000), generateNetwork(10_000)]
  const [trees100, trees1000, trees10000] = [
    timeTreeSolver(small),
    timeTreeSolver(middle),
    timeTreeSolver(large),
  ]
  const [epanet100, epanet1000] = [await timeEpanet(small), await timeEpanet(middle)]
  const [any1000, any10000] = [timeNetworkSolver(middle), timeNetworkSolver(large)]
  const ms = measureAlternately({
    trees100: [500, trees100.solve],
    epanet100: [30, epanet100.solve],
    trees1000: [200, trees1000.solve],
    epanet1000: [20, epanet1000.solve],
    moved1000: [200, trees1000.moveSolveRead],
    epanetMoved1000: [20, epanet1000.moveSolveRead],
    warm1000: [100, trees1000.warm],
    built1000: [2, trees1000.buildAndSolve],
    epanetBuilt1000: [1, epanet1000.buildAndSolve],
    any1000: [4, any1000.solve],
    trees10000: [20, trees10000.solve],
    any10000: [1, any10000.solve],
  })
  const exact = trees1000.readExact()
  const off = [trees1000, any1000, epanet1000].map((solver) =>
    compare(solver.readFlows(), exact).toExponential(1),
  )
  compare(epanet100.readFlows(), trees100.readExact())
  compare(any10000.readFlows(), trees10000.readExact())
  const toPeer = (figure: string, label: string, value: number) => ({ figure, label, value })
  return {
    figures: {
      solve_100_ms: ms.trees100,
      solve_1000_ms: ms.trees1000,
      solve_10000_ms: ms.trees10000,
      ratio_to_epanet_1000: ms.epanetMoved1000 / ms.moved1000,
    },
    peers: [
      toPeer('solve_100_ms', 'epanet-js, network already read', ms.epanet100),
      toPeer('solve_1000_ms', 'epanet-js, network already read', ms.epanet1000),
      toPeer('solve_1000_ms', 'epanet-js, reading the network and solving', ms.epanetBuilt1000),
      toPeer(
        'solve_1000_ms',
        'epanet-js, network already read, moving every valve and reading every flow',
        ms.epanetMoved1000,
      ),
      toPeer('solve_1000_ms', 'ours from the last solution, one valve in a hundred moved', ms.warm1000),
      toPeer('solve_1000_ms', 'ours, building the network and solving', ms.built1000),
      toPeer('solve_1000_ms', 'our solver for any network, already built', ms.any1000),
      toPeer('solve_10000_ms', 'our solver for any network, already built', ms.any10000),
    ],
    notes: [
      'Fastest of many cold solves, measured alternately, of generated two-pipe trees with a valve in each circuit.',
      `The ratio is for a network that both have read: every valve moved, a cold solve, every consumer’s flow read. For the solves alone it is ${ratio(ms.epanet1000, ms.trees1000)}, and from the network’s description to its flows ${ratio(ms.epanetBuilt1000, ms.built1000)}.`,
      `Largest error of a flow in the network of 1,000 at accuracy ${ACCURACY}: ours ${off[0]}, our solver for any network ${off[1]}, EPANET ${off[2]}.`,
    ],
  }
}
