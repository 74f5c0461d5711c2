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
import { generateNetwork } from './generated-network.ts'

/** Accuracy of all solvers: relative change of flow. EPANET's default is ten times as much. */
const ACCURACY = 1e-4

/** Shortest of `repeats` calls, ms: other load of the machine can only make a call longer. */
function measure(repeats: number, call: () => void): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    const started = performance.now()
    call()
    fastest = Math.min(fastest, performance.now() - started)
  }
  return fastest
}

/** Number of passes over all solvers: the machine's speed changes by half within seconds, so each needs several chances. */
const TURNS = 12

/** Measures several solvers alternately, so that the machine's speed affects all of them equally. */
function measureInTurns<Name extends string>(
  calls: Readonly<Record<Name, readonly [repeats: number, call: () => void]>>,
): Record<Name, number> {
  const names = Object.keys(calls) as Name[]
  const fastest = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let turn = 0; turn < TURNS; turn++)
    for (const name of names) {
      const [repeats, call] = calls[name]
      fastest[name] = Math.min(fastest[name], measure(repeats, call))
    }
  return fastest
}

/** Timed calls of one solver. */
interface Asked {
  /** One cold solve of a network that is already read. */
  readonly solve: () => void
  /** The same with input and output: every valve is moved before, every consumer's flow is read afterwards. */
  readonly ask: () => void
  /** From the network's description to its flows. */
  readonly whole: () => void
  /** Flows of the consumers, kg/s. */
  readonly readFlows: () => readonly number[]
}

interface TreeAsked extends Asked {
  /** From the last solution after a move of one valve in a hundred, like the twin. */
  readonly warm: () => void
  readonly readExact: () => readonly number[]
}

function build(made: TwoPipeTree): TreeNetwork {
  const outcome = createTreeNetwork(made.pipes, made.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`The made network is no tree: ${outcome.kind}`)
  outcome.network.valveResistance.set(made.valveResistance)
  return outcome.network
}

/** Our solver with a cold start at each call, like EPANET: every valve has moved, and the last solution is not reused. */
function askTrees(made: TwoPipeTree): TreeAsked {
  const source = { kind: 'head', head: pascal(made.headPa) } as const
  const options = { ...DEFAULT_SOLVE, tolerance: ACCURACY }
  const readCold = (network: TreeNetwork, state = createTreeState(network), tolerance = ACCURACY) => {
    network.valveResistance.set(made.valveResistance)
    state.pipeFlow.fill(0)
    const solved = solveTree(network, state, source, { ...options, tolerance })
    if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
    return [...state.circuitFlow]
  }
  const network = build(made)
  const state = createTreeState(network)
  const solve = () => {
    state.pipeFlow.fill(0)
    solveTree(network, state, source, options)
  }
  let turn = 0
  return {
    solve,
    ask: () => {
      network.valveResistance.set(made.valveResistance)
      solve()
      state.circuitFlow.slice()
    },
    warm: () => {
      const factor = turn++ % 2 === 0 ? 1.2 : 1
      for (let valve = 0; valve < made.valveResistance.length; valve += 100)
        network.valveResistance[valve] = factor * (made.valveResistance[valve] ?? 0)
      solveTree(network, state, source, options)
    },
    whole: () => readCold(build(made)),
    readFlows: () => readCold(network, state),
    readExact: () => readCold(network, state, 1e-11),
  }
}

/** The solver for any network on the same trees, with separate supply and return pipes, and a cold start at each call. */
function askNetworks(made: TwoPipeTree): Pick<Asked, 'solve' | 'readFlows'> {
  const outcome = createNetwork(toNetworkSpec(made))
  if (outcome.kind !== 'network') throw new Error(`The made network is none: ${outcome.kind}`)
  const { network } = outcome
  const state = createNetworkState(network)
  const solve = () => {
    state.linkFlow.fill(0)
    const solved = solveNetwork(network, state, { tolerance: ACCURACY, maxIterations: 60 })
    if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
  }
  return {
    solve,
    readFlows: () => {
      solve()
      return [...state.linkFlow.subarray(-made.circuits.length)]
    },
  }
}

async function askEpanet(made: TwoPipeTree): Promise<Asked> {
  const workspace = await createEpanetWorkspace()
  const whole = () => {
    const read = openInEpanet(workspace, made, ACCURACY)
    read.solve()
    read.close()
  }
  whole()
  const read = openInEpanet(await createEpanetWorkspace(), made, ACCURACY)
  return {
    solve: read.solve,
    ask: () => {
      read.setValves(made.valveResistance)
      read.solve()
      read.readFlows()
    },
    whole,
    readFlows: () => {
      read.setValves(made.valveResistance)
      read.solve()
      return read.readFlows()
    },
  }
}

/** Largest relative difference of a consumer's flow from the exact one, to check that all solved the same network. */
function compare(flows: readonly number[], exact: readonly number[]): number {
  if (flows.length !== exact.length) throw new Error(`${flows.length} flows against ${exact.length}`)
  const apart = Math.max(...exact.map((flow, index) => Math.abs((flows[index] ?? 0) - flow) / flow))
  if (!(apart < 1e-3)) throw new Error(`Flows differ by up to ${apart}`)
  return apart
}

const ratio = (theirs: number, ours: number): string => (theirs / ours).toFixed(0)

/** Figures, peers and notes about solving networks of 100, 1,000 and 10,000 buildings. */
export async function measureSolves() {
  const [small, middle, large] = [generateNetwork(100), generateNetwork(1_000), generateNetwork(10_000)]
  const [trees100, trees1000, trees10000] = [askTrees(small), askTrees(middle), askTrees(large)]
  const [epanet100, epanet1000] = [await askEpanet(small), await askEpanet(middle)]
  const [any1000, any10000] = [askNetworks(middle), askNetworks(large)]
  const ms = measureInTurns({
    trees100: [500, trees100.solve],
    epanet100: [30, epanet100.solve],
    trees1000: [200, trees1000.solve],
    epanet1000: [20, epanet1000.solve],
    asked1000: [200, trees1000.ask],
    epanetAsked1000: [20, epanet1000.ask],
    warm1000: [100, trees1000.warm],
    whole1000: [2, trees1000.whole],
    epanetWhole1000: [1, epanet1000.whole],
    any1000: [4, any1000.solve],
    trees10000: [20, trees10000.solve],
    any10000: [1, any10000.solve],
  })
  const exact = trees1000.readExact()
  const off = [trees1000, any1000, epanet1000].map((asked) =>
    compare(asked.readFlows(), exact).toExponential(1),
  )
  compare(epanet100.readFlows(), trees100.readExact())
  compare(any10000.readFlows(), trees10000.readExact())
  const besides = (figure: string, label: string, value: number) => ({ figure, label, value })
  return {
    figures: {
      solve_100_ms: ms.trees100,
      solve_1000_ms: ms.trees1000,
      solve_10000_ms: ms.trees10000,
      ratio_to_epanet_1000: ms.epanetAsked1000 / ms.asked1000,
    },
    peers: [
      besides('solve_100_ms', 'epanet-js, network already read', ms.epanet100),
      besides('solve_1000_ms', 'epanet-js, network already read', ms.epanet1000),
      besides('solve_1000_ms', 'epanet-js, reading the network and solving', ms.epanetWhole1000),
      besides(
        'solve_1000_ms',
        'epanet-js, network already read, moving every valve and reading every flow',
        ms.epanetAsked1000,
      ),
      besides('solve_1000_ms', 'ours from the last solution, one valve in a hundred moved', ms.warm1000),
      besides('solve_1000_ms', 'ours, building the network and solving', ms.whole1000),
      besides('solve_1000_ms', 'our solver for any network, already built', ms.any1000),
      besides('solve_10000_ms', 'our solver for any network, already built', ms.any10000),
    ],
    notes: [
      'Fastest of many cold solves, measured alternately, of generated two-pipe trees with a valve in each circuit.',
      `The ratio is for a network that both have read: every valve moved, a cold solve, every consumer’s flow read. For the solves alone it is ${ratio(ms.epanet1000, ms.trees1000)}, and from the network’s description to its flows ${ratio(ms.epanetWhole1000, ms.whole1000)}.`,
      `Largest error of a flow in the network of 1,000 at accuracy ${ACCURACY}: ours ${off[0]}, our solver for any network ${off[1]}, EPANET ${off[2]}.`,
    ],
  }
}
