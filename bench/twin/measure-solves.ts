import { createNetwork } from '@isotherm/hydraulics/network'
import { createNetworkState, solveNetwork } from '@isotherm/hydraulics/solve-network'
import { createTreeState, solveTree } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork, type TreeNetwork } from '@isotherm/hydraulics/tree-network'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { pascal } from '@isotherm/kernel/quantities'
import { Project, Workspace } from 'epanet-js'
import { type MadeNetwork, makeNetwork, toEpanetInput, toNetworkSpec } from './made-network.ts'

/** EPANET's own numbers for what is asked; the package's types do not export them to an ES module. */
const EN_LINKCOUNT = 2
const EN_FLOW = 8
const EN_INITFLOW = 10

/** Ten times as strict as what EPANET is asked for. */
const PRECISION = { tolerance: 1e-5, maxRefreshes: 60 }
const LITRES_PER_KG = 1000 / WARM_WATER.densityKgM3

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
  /** One solve of a network that is already read. */
  readonly ms: number
  /** From the network's description to its flows. */
  readonly wholeMs: number
  /** Of the consumers, l/s. */
  readonly flows: readonly number[]
}

function build(made: MadeNetwork): TreeNetwork {
  const outcome = createTreeNetwork(made.pipes, made.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`The made network is no tree: ${outcome.kind}`)
  outcome.network.valveResistance.set(made.valveResistance)
  return outcome.network
}

/** Our solver, cold at each call as EPANET's is: every valve has moved, nothing of the last solution is kept. */
function solveTrees(made: MadeNetwork, repeats: number): Run {
  const source = { kind: 'head', head: pascal(made.headPa) } as const
  const solveCold = (network: TreeNetwork, state = createTreeState(network)) => {
    state.pipeFlow.fill(0)
    const solved = solveTree(network, state, source, PRECISION)
    if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
    return state
  }
  const network = build(made)
  const state = createTreeState(network)
  const ms = measure(repeats, () => solveCold(network, state))
  const wholeMs = measure(5, () => solveCold(build(made)))
  return { ms, wholeMs, flows: Array.from(state.circuitFlow, (flow) => flow * LITRES_PER_KG) }
}

/** The solver for any network on the same trees, supply and return pipe by pipe, cold at each call. */
function solveNetworks(made: MadeNetwork, repeats: number): Run {
  const spec = toNetworkSpec(made)
  const solveCold = () => {
    const outcome = createNetwork(spec)
    if (outcome.kind !== 'network') throw new Error(`The made network is none: ${outcome.kind}`)
    const { network } = outcome
    const state = createNetworkState(network)
    const solve = () => {
      state.linkFlow.fill(0)
      state.level.fill(0)
      const solved = solveNetwork(network, state, { tolerance: PRECISION.tolerance, maxIterations: 60 })
      if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
    }
    solve()
    return { state, solve }
  }
  const wholeMs = measure(3, solveCold)
  const { state, solve } = solveCold()
  const ms = measure(repeats, solve)
  const valves = state.linkFlow.subarray(-made.circuits.length)
  return { ms, wholeMs, flows: Array.from(valves, (flow) => flow * LITRES_PER_KG) }
}

async function solveByEpanet(made: MadeNetwork, repeats: number): Promise<Run> {
  const workspace = new Workspace()
  await workspace.loadModule()
  workspace.writeFile('net.inp', toEpanetInput(made))
  const wholeMs = measure(3, () => {
    const project = new Project(workspace)
    project.open('net.inp', 'report.rpt', 'out.bin')
    project.solveH()
    project.close()
  })
  const project = new Project(workspace)
  project.open('net.inp', 'report.rpt', 'out.bin')
  project.openH()
  const ms = measure(repeats, () => {
    project.initH(EN_INITFLOW)
    project.runH()
  })
  const count = project.getCount(EN_LINKCOUNT)
  const first = project.getLinkIndex('V1')
  const flows = Array.from({ length: count - first + 1 }, (_, index) =>
    project.getLinkValue(first + index, EN_FLOW),
  )
  project.closeH()
  project.close()
  return { ms, wholeMs, flows }
}

/** Largest relative difference of a consumer's flow: both must have solved the same network. */
function compare(ours: Run, theirs: Run): number {
  if (ours.flows.length !== theirs.flows.length)
    throw new Error(`${ours.flows.length} flows against ${theirs.flows.length}`)
  const apart = Math.max(
    ...theirs.flows.map((flow, index) => Math.abs((ours.flows[index] ?? 0) - flow) / flow),
  )
  if (apart > 1e-3) throw new Error(`Flows differ by up to ${apart}`)
  return apart
}

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
  const apart = Math.max(compare(trees100, epanet100), compare(trees1000, epanet1000))
  const between = Math.max(compare(trees1000, any1000), compare(trees10000, any10000))
  return {
    figures: {
      solve_100_ms: trees100.ms,
      solve_1000_ms: trees1000.ms,
      solve_10000_ms: trees10000.ms,
      ratio_to_epanet_1000: epanet1000.ms / trees1000.ms,
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
      `From its description the network of 1,000 takes EPANET ${(epanet1000.wholeMs / trees1000.wholeMs).toFixed(0)} times as long.`,
      `Largest difference of a flow from EPANET's: ${apart.toExponential(1)}; between our two solvers: ${between.toExponential(1)}.`,
    ],
  }
}
