import { createTreeState, solveTree } from '@isotherm/hydraulics/solve-tree'
import { createTreeNetwork, WARM_WATER } from '@isotherm/hydraulics/tree-network'
import { pascal } from '@isotherm/kernel/quantities'
import { Project, Workspace } from 'epanet-js'
import type { Bench, BenchResult } from './bench.ts'
import { type MadeNetwork, makeNetwork, toEpanetInput } from './twin/made-network.ts'
import { measureCity } from './twin/measure-city.ts'

/** EPANET's own numbers for what is asked; the package's types do not export them to an ES module. */
const EN_LINKCOUNT = 2
const EN_FLOW = 8
const EN_INITFLOW = 10

/** What the twin of a city may take at its highest. */
const CITY_MEMORY_MB = 1000

/** Ten times as strict as what EPANET is asked for. */
const PRECISION = { tolerance: 1e-5, maxRefreshes: 60 }
const LITRES_PER_KG = 1000 / WARM_WATER.densityKgM3

/** Median of the durations of `repeats` calls, ms. */
function measure(repeats: number, call: (repeat: number) => void): number {
  const durations = Array.from({ length: repeats }, (_, repeat) => {
    const started = performance.now()
    call(repeat)
    return performance.now() - started
  })
  return durations.toSorted((a, b) => a - b)[Math.floor(repeats / 2)] ?? Number.NaN
}

/** Our solver, cold at each call as EPANET's is: every valve has moved, nothing of the last solution is kept. */
function solveOurs(
  made: MadeNetwork,
  repeats: number,
): { readonly ms: number; readonly flows: Float64Array } {
  const outcome = createTreeNetwork(made.pipes, made.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`The made network is no tree: ${outcome.kind}`)
  const { network } = outcome
  network.valveResistance.set(made.valveResistance)
  const state = createTreeState(network)
  const ms = measure(repeats, () => {
    state.pipeFlow.fill(0)
    const solved = solveTree(network, state, { kind: 'head', head: pascal(made.headPa) }, PRECISION)
    if (solved !== 'solved') throw new Error(`The made network is ${solved}`)
  })
  return { ms, flows: state.circuitFlow }
}

interface EpanetRun {
  /** One solve of the network that is already read and ordered. */
  readonly ms: number
  /** Reading and ordering the network and the first solve. */
  readonly wholeMs: number
  readonly flows: readonly number[]
}

async function solveByEpanet(made: MadeNetwork, repeats: number): Promise<EpanetRun> {
  const workspace = new Workspace()
  await workspace.loadModule()
  workspace.writeFile('net.inp', toEpanetInput(made))
  const started = performance.now()
  const project = new Project(workspace)
  project.open('net.inp', 'report.rpt', 'out.bin')
  project.solveH()
  const wholeMs = performance.now() - started
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

/** Largest relative difference of a consumer's flow: the two must have solved the same network. */
function compare(ours: Float64Array, theirs: readonly number[]): number {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} flows against ${theirs.length}`)
  return Math.max(...theirs.map((flow, index) => Math.abs((ours[index] ?? 0) * LITRES_PER_KG - flow) / flow))
}

async function run(): Promise<BenchResult> {
  const [small, middle, large] = [makeNetwork(100), makeNetwork(1_000), makeNetwork(10_000)]
  const ours100 = solveOurs(small, 500)
  const ours1000 = solveOurs(middle, 200)
  const ours10000 = solveOurs(large, 40)
  const epanet100 = await solveByEpanet(small, 20)
  const epanet1000 = await solveByEpanet(middle, 5)
  const apart = Math.max(compare(ours100.flows, epanet100.flows), compare(ours1000.flows, epanet1000.flows))
  if (apart > 1e-3) throw new Error(`Flows differ from EPANET's by up to ${apart}`)
  const city = await measureCity()
  const most = Math.round(city.rssMb)
  if (most > CITY_MEMORY_MB) throw new Error(`The city's twin took ${most} MB, more than ${CITY_MEMORY_MB}`)
  return {
    figures: {
      solve_100_ms: ours100.ms,
      solve_1000_ms: ours1000.ms,
      solve_10000_ms: ours10000.ms,
      ratio_to_epanet_1000: epanet1000.ms / ours1000.ms,
      city_realtime_factor: city.simulatedS / city.cpuS,
    },
    peers: [
      { figure: 'solve_100_ms', label: 'epanet-js, network already read', value: epanet100.ms },
      { figure: 'solve_1000_ms', label: 'epanet-js, network already read', value: epanet1000.ms },
      {
        figure: 'solve_1000_ms',
        label: 'epanet-js, reading the network and solving',
        value: epanet1000.wholeMs,
      },
    ],
    notes: [
      'Medians of cold solves of made two-pipe trees with a valve in each circuit.',
      `The city: ${city.households} households and ${city.devices} devices, ${city.readings} readings in ${city.messages} messages over MQTT in two simulated hours; simulated seconds by seconds of processor of its whole process, ${most} MB at most.`,
      `Largest difference of a flow from EPANET's: ${apart.toExponential(1)}.`,
    ],
  }
}

export const bench: Bench = {
  name: 'twin',
  about:
    'solving the flows of two-pipe networks beside EPANET on the same networks, and a city of 100,000 households',
  run,
}
