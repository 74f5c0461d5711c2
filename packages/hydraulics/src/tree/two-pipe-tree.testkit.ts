import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { Project, Workspace } from 'epanet-js'
import { WARM_WATER } from '../elements/water.ts'
import type { LinkSpec, NetworkSpec, NodeSpec } from '../network/network-spec.ts'
import type { CircuitSpec, PipeSpec } from './tree-network.ts'

/** A two-pipe tree of warm water with a valve in each circuit, for solvers that are compared on it. */
export interface TwoPipeTree {
  readonly pipes: readonly PipeSpec[]
  readonly circuits: readonly CircuitSpec[]
  /** Of the valve in each circuit, Pa/(kg/s)². */
  readonly valveResistance: readonly number[]
  readonly headPa: number
}

/** EPANET counts with a gravity of 32.2 ft/s² and viscosity relative to 1.1e-5 ft²/s. */
const GRAVITY = 32.2 * 0.3048
const VISCOSITY_M2_S = 1.1e-5 * 0.3048 ** 2
const VALVE_DIAMETER_M = 0.05
/** Loss coefficient of a throttle by its resistance. */
const LOSS_PER_RESISTANCE = 2 * WARM_WATER.densityKgM3 * ((Math.PI / 4) * VALVE_DIAMETER_M ** 2) ** 2

/**
 * The tree as an EPANET input: supply and return pipes without local losses, circuit and valve as one throttle. EPANET
 * stops when the changes of all flows are below `accuracy` of all flows; 1e-5 is the strictest it takes.
 */
function toEpanetInput({ pipes, circuits, valveResistance, headPa }: TwoPipeTree, accuracy: number): string {
  const { densityKgM3, viscosityPaS } = WARM_WATER
  const name = (side: 'S' | 'R', index: number): string => `${side}${index + 1}`
  const lines = [
    '[JUNCTIONS]',
    ...pipes.flatMap((_, index) => [`${name('S', index)} 0 0`, `${name('R', index)} 0 0`]),
    '[RESERVOIRS]',
    `S0 ${headPa / (densityKgM3 * GRAVITY)}`,
    'R0 0',
    '[PIPES]',
    ...pipes.flatMap((pipe, index) => {
      const size = `${pipe.length} ${pipe.innerDiameter * 1000} ${pipe.roughness * 1000} 0 Open`
      return [
        `PS${index + 1} ${name('S', pipe.parent)} ${name('S', index)} ${size}`,
        `PR${index + 1} ${name('R', index)} ${name('R', pipe.parent)} ${size}`,
      ]
    }),
    '[VALVES]',
    ...circuits.map(({ node, resistance: own }, index) => {
      const loss = LOSS_PER_RESISTANCE * (own + (valveResistance[index] ?? 0))
      return `V${index + 1} ${name('S', node)} ${name('R', node)} ${VALVE_DIAMETER_M * 1000} TCV ${loss} 0`
    }),
    '[OPTIONS]',
    'Units LPS',
    'Headloss D-W',
    `Viscosity ${viscosityPaS / densityKgM3 / VISCOSITY_M2_S}`,
    'Specific Gravity 1',
    `Accuracy ${accuracy}`,
    '[TIMES]',
    'Duration 0',
    '[END]',
  ]
  return lines.join('\n')
}

/** The tree for the solver of any network: supply and return pipes, the valves last. */
export function toNetworkSpec({ pipes, circuits, valveResistance, headPa }: TwoPipeTree): NetworkSpec {
  const given = (pressure: number): NodeSpec => ({
    height: metre(0),
    pressure: pascalGauge(pressure),
    demand: kilogramPerSecond(0),
  })
  const free: NodeSpec = { height: metre(0), demand: kilogramPerSecond(0) }
  // Node 2·i is the supply's end of pipe i − 1, node 2·i + 1 the return's; 0 and 1 are the source.
  const at = (pipe: number): number => 2 * (pipe + 1)
  const lines = pipes.flatMap((pipe, index): LinkSpec[] => [
    { kind: 'pipe', ...pipe, from: at(pipe.parent), to: at(index) },
    { kind: 'pipe', ...pipe, from: at(index) + 1, to: at(pipe.parent) + 1 },
  ])
  const valves = circuits.map(
    ({ node, resistance: own }, index): LinkSpec => ({
      kind: 'resistor',
      from: at(node),
      to: at(node) + 1,
      resistance: resistance(own + (valveResistance[index] ?? 0)),
    }),
  )
  return {
    nodes: [given(headPa), given(0), ...pipes.flatMap(() => [free, free])],
    links: [...lines, ...valves],
    fluid: WARM_WATER,
    friction: 'swamee-jain',
  }
}

/** EPANET's codes of the values to read; the package's types do not export them to an ES module. */
const EN_LINKCOUNT = 2
const EN_INITSETTING = 5
const EN_FLOW = 8
const EN_INITFLOW = 10

/** The tree as EPANET has read it. Take what is needed and `close` it. */
export interface EpanetTree {
  /** Moves every valve: resistances in Pa/(kg/s)², by circuit. */
  readonly setValves: (valveResistance: ArrayLike<number>) => void
  /** Solves from EPANET's own first guess. */
  readonly solve: () => void
  /** Flow of each circuit, kg/s. */
  readonly readFlows: () => readonly number[]
  readonly close: () => void
}

/** A place where EPANET reads and writes its files. */
export async function createEpanetWorkspace(): Promise<Workspace> {
  const workspace = new Workspace()
  await workspace.loadModule()
  return workspace
}

/** Lets EPANET read the tree. */
export function openInEpanet(workspace: Workspace, tree: TwoPipeTree, accuracy: number): EpanetTree {
  workspace.writeFile('net.inp', toEpanetInput(tree, accuracy))
  const project = new Project(workspace)
  project.open('net.inp', 'report.rpt', 'out.bin')
  project.openH()
  const first = project.getLinkIndex('V1')
  const count = project.getCount(EN_LINKCOUNT) - first + 1
  const kgPerLitre = WARM_WATER.densityKgM3 / 1000
  return {
    setValves: (valveResistance) => {
      tree.circuits.forEach(({ resistance: own }, index) => {
        const loss = LOSS_PER_RESISTANCE * (own + (valveResistance[index] ?? 0))
        project.setLinkValue(first + index, EN_INITSETTING, loss)
      })
    },
    solve: () => {
      project.initH(EN_INITFLOW)
      project.runH()
    },
    readFlows: () =>
      Array.from({ length: count }, (_, index) => project.getLinkValue(first + index, EN_FLOW) * kgPerLitre),
    close: () => {
      project.closeH()
      project.close()
    },
  }
}
