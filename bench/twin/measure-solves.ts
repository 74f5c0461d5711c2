import { createNetwork } from '@isotherm/hydraulics/network'
import { createNetworkState, solveNetwork } from '@isotherm/hydraulics/solve-network'
import { createTreeState, DEFAULT_SOLVE, solveTree } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork, type TreeNetwork } from '@isotherm/hydraulics/tree-network'
import {
  createEpanetWorkspace,
  openInEpanet,
  type TwoPipeTree,
  toNetworkSpec,
} from '@isotherm/hydraulics/two-pipe-tree.testkit'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { pascal } from '@isotherm/kernel/quantities'
import { makeNetwork } from './made-network.ts'

/** What all are asked for: changes of flow below this share. EPANET's own default is ten times as much. */
const ACCURACY = 1e-4

/** The fastest of `repeats` calls, ms: whatever else the machine does only makes one slower. */
function measure(repeats: number, call: () => void): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    const started = performance.now()
    call()
    fastest = Math.min(fastest, performance.now() - started)
  }
  return fastest
}

interface Run {
  /** One cold solve of a network that is already read. */
  readonly ms: number
  /** The same with the question and the answer: every valve is moved before, every consumer's flow is read after. */
  readonly askedMs: number
  /** From the network's description to its flows. */
  readonly wholeMs: number
  /** Of the consumers, kg/s. */
  readonly flows: readonly number[]
}

interface TreeRun extends Run {
  /** From the last solution, one valve in a hundred having moved: how the twin solves. */
  readonly warmMs: number
  readonly exact: readonly number[]
}

function build(made: TwoPipeTree): TreeNetwork {
  const outcome = createTreeNetwork(made.pipes, made.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`The made network is no tree: ${outcome.kind}`)
  outcome.network.valveResistance.set(made.valveResistance)
  return outcome.network
}

/** Our solver, cold at each call as EPANET's is: every valve has moved, nothing of the last solution is kept. */
function solveTrees(made: TwoPipeTree, repeats: number): TreeRun {
  const source = { kind: 'head', head: pascal(made.headPa) } as const
  const solveCold = (network: TreeNetwork, state = createTreeState(network), tolerance = ACCURACY) => {
    state.pipeFlow.fill(0)
    const solved = solveTree(network, state, source, { ...DEFAULT_SOLVE, tolerance })
    if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
    return [...state.circuitFlow]
  }
  const network = build(made)
  const state = createTreeState(network)
  const options = { ...DEFAULT_SOLVE, tolerance: ACCURACY }
  const ms = measure(repeats, () => {
    state.pipeFlow.fill(0)
    solveTree(network, state, source, options)
  })
  const askedMs = measure(repeats, () => {
    network.valveResistance.set(made.valveResistance)
    state.pipeFlow.fill(0)
    solveTree(network, state, source, options)
    state.circuitFlow.slice()
  })
  let turn = 0
  const warmMs = measure(repeats, () => {
    const factor = turn++ % 2 === 0 ? 1.2 : 1
    for (let valve = 0; valve < made.valveResistance.length; valve += 100)
      network.valveResistance[valve] = factor * (made.valveResistance[valve] ?? 0)
    solveTree(network, state, source, options)
  })
  network.valveResistance.set(made.valveResistance)
  const wholeMs = measure(5, () => solveCold(build(made)))
  const exact = solveCold(network, state, 1e-11)
  return { ms, askedMs, warmMs, wholeMs, flows: solveCold(network), exact }
}

/** The solver for any network on the same trees, supply and return pipe by pipe, cold at each call. */
function solveNetworks(made: TwoPipeTree, repeats: number): Omit<Run, 'askedMs'> {
  const spec = toNetworkSpec(made)
  const solveCold = () => {
    const outcome = createNetwork(spec)
    if (outcome.kind !== 'network') throw new Error(`The made network is none: ${outcome.kind}`)
    const { network } = outcome
    const state = createNetworkState(network)
    const solve = () => {
      state.linkFlow.fill(0)
      const solved = solveNetwork(network, state, { tolerance: ACCURACY, maxIterations: 60 })
      if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
    }
    solve()
    return { state, solve }
  }
  const wholeMs = measure(3, solveCold)
  const { state, solve } = solveCold()
  const ms = measure(repeats, solve)
  const valves = state.linkFlow.subarray(-made.circuits.length)
  return { ms, wholeMs, flows: [...valves] }
}

async function solveByEpanet(made: TwoPipeTree, repeats: number): Promise<Run> {
  const workspace = await createEpanetWorkspace()
  const wholeMs = measure(3, () => {
    const read = openInEpanet(workspace, made, ACCURACY)
    read.solve()
    read.close()
  })
  const read = openInEpanet(workspace, made, ACCURACY)
  const ms = measure(repeats, read.solve)
  const askedMs = measure(repeats, () => {
    read.setValves(made.valveResistance)
    read.solve()
    read.readFlows()
  })
  const flows = read.readFlows()
  read.close()
  return { ms, askedMs, wholeMs, flows }
}

/** Largest relative difference of a consumer's flow from the exact one: all must have solved the same network. */
function compare({ flows }: Pick<Run, 'flows'>, exact: readonly number[]): number {
  if (flows.length !== exact.length) throw new Error(`${flows.length} flows against ${exact.length}`)
  const apart = Math.max(...exact.map((flow, index) => Math.abs((flows[index] ?? 0) - flow) / flow))
  if (!(apart < 1e-3)) throw new Error(`Flows differ by up to ${apart}`)
  return apart
}

const ratio = (theirs: number, ours: number): string => (theirs / ours).toFixed(0)

/** Figures, peers and notes about solving networks of 100, 1,000 and 10,000 buildings. */
export async function measureSolves() {
  const [small, middle, large] = [makeNetwork(100), makeNetwork(1_000), makeNetwork(10_000)]
  const [trees100, trees1000, trees10000] = [
    solveTrees(small, 1000),
    solveTrees(middle, 400),
    solveTrees(large, 60),
  ]
  const epanet100 = await solveByEpanet(small, 60)
  const epanet1000 = await solveByEpanet(middle, 40)
  const [any1000, any10000] = [solveNetworks(middle, 30), solveNetworks(large, 5)]
  const off = [trees1000, any1000, epanet1000].map((run) => compare(run, trees1000.exact).toExponential(1))
  compare(epanet100, trees100.exact)
  compare(any10000, trees10000.exact)
  return {
    figures: {
      solve_100_ms: trees100.ms,
      solve_1000_ms: trees1000.ms,
      solve_10000_ms: trees10000.ms,
      ratio_to_epanet_1000: epanet1000.askedMs / trees1000.askedMs,
    },
    peers: [
      { figure: 'solve_100_ms', label: 'epanet-js, network already read', value: epanet100.ms },
      { figure: 'solve_1000_ms', label: 'epanet-js, network already read', value: epanet1000.ms },
      {
        figure: 'solve_1000_ms',
        label: 'epanet-js, reading the network and solving',
        value: epanet1000.wholeMs,
      },
      {
        figure: 'solve_1000_ms',
        label: 'epanet-js, network already read, moving every valve and reading every flow',
        value: epanet1000.askedMs,
      },
      {
        figure: 'solve_1000_ms',
        label: 'ours from the last solution, one valve in a hundred moved',
        value: trees1000.warmMs,
      },
      {
        figure: 'solve_1000_ms',
        label: 'ours, building the network and solving',
        value: trees1000.wholeMs,
      },
      {
        figure: 'solve_1000_ms',
        label: 'our solver for any network, already built',
        value: any1000.ms,
      },
      {
        figure: 'solve_10000_ms',
        label: 'our solver for any network, already built',
        value: any10000.ms,
      },
    ],
    notes: [
      'Fastest of many cold solves of made two-pipe trees with a valve in each circuit, ours and EPANET’s alike.',
      `The ratio is that of asking a network that both have read: every valve moved, a cold solve, every consumer’s flow read. Of the solves alone it is ${ratio(epanet1000.ms, trees1000.ms)}, and from the network’s description to its flows ${ratio(epanet1000.wholeMs, trees1000.wholeMs)}.`,
      `Largest error of a flow in the network of 1,000, all asked for ${ACCURACY}: ours ${off[0]}, our solver for any network ${off[1]}, EPANET ${off[2]}.`,
    ],
  }
}
