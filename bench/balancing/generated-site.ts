import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import { createLoop, pathLosses, sumFlows } from '@isotherm/balancing/loop/loop-model'
import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createTreeNetwork, type PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, openingRatio, resistance } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { createScenario } from '../../apps/twin/src/scenarios/create-scenario.ts'
import { namedRecipes } from '../../apps/twin/src/scenarios/named-recipes.ts'
import type { SickShares } from '../../apps/twin/src/scenarios/recipe.ts'
import type { Scenario, StationSpec, UnitSpec } from '../../apps/twin/src/scenarios/scenario.ts'
import { sizePump } from '../../apps/twin/src/scenarios/stations/sizing.ts'

export interface SiteOrder {
  readonly seed: number
  readonly stations: number
  readonly buildings: number
  readonly floorShare: number
  readonly sick: SickShares
  /** Additional deviation of valves from their name plates: standard deviations of ln Kvs and ln R. */
  readonly unknownCurves: { readonly kvs: number; readonly rangeability: number } | undefined
}

export const HEALTHY: SickShares = { stuck: 0, deadSensors: 0, wrongAreas: 0 }
/** Share of buildings with less than design flow: pumps are usually raised until the far ends no longer complain. */
const STARVED_SHARE = 0.1
/** Speed of the water in the station's pipework, m/s: exchanger and strainer drop about 60 kPa, as in B.1. */
const ROOT_M_S = 1
const WATER_KG_M3 = 988
/** The twin spaces blocks of three staircases along a street. Each building here is one staircase with a third of that length. */
const STAIRCASES_A_BLOCK = 3
/** Pipes of the twin: the station's outlet, then a street pipe, an inlet and a cellar pipe for each building. */
const PIPES_A_BUILDING = 3
/** The narrowest steel pipe of mains, and the largest friction of a lateral, Pa/m, which uses up excess head near the station. */
const NARROWEST = metre(0.041)
const LATERAL_PA_M = 300

function bend(unit: UnitSpec, order: SiteOrder, draw: () => number): UnitSpec {
  const { valve } = unit
  if (order.unknownCurves === undefined || valve.kind !== 'equal-percentage') return unit
  const kvs = flowCoefficient(valve.kvs * Math.exp(order.unknownCurves.kvs * draw()))
  const rangeability = valve.rangeability * Math.exp(order.unknownCurves.rangeability * draw())
  return { ...unit, valve: { kind: 'equal-percentage', kvs, rangeability } }
}

const COMPLAINT_SHARE = 0.8
const COMPLAINT_STEP = 0.05
const COMPLAINT_ROUNDS = 12
const isLateral = (pipe: number): boolean => pipe > 0 && (pipe - 1) % PIPES_A_BUILDING !== 0

/** Pa/m in a supply or return pipe, fully rough. */
function gradient(pipe: PipeSpec, flowKgS: number): number {
  const factor = frictionFactor(1e7, pipe.roughness / pipe.innerDiameter)
  return (8 * factor * flowKgS ** 2) / (WATER_KG_M3 * Math.PI ** 2 * pipe.innerDiameter ** 5)
}

/**
 * Pipes in the sizes of a planner (B.1, GB 50019-2003 §4.8.6): the index main by economic friction; laterals near the
 * station narrower, up to 300 Pa/m, while their loop drops no more than the index loop. The twin's largest pipe is too small
 * for a hundred buildings, so the station's own pipework is widened.
 */
function layPipes({ pipes, units }: StationSpec): PipeSpec[] {
  const total = units.reduce((sum, unit) => sum + unit.designFlow, 0)
  const wide = pipes.map((pipe, index) => {
    if (index === 0)
      return { ...pipe, innerDiameter: metre(Math.sqrt((4 * total) / (Math.PI * WATER_KG_M3 * ROOT_M_S))) }
    return isLateral(index) ? pipe : { ...pipe, length: metre(pipe.length / STAIRCASES_A_BLOCK) }
  })
  const circuits = units.map(({ node }) => ({ node, resistance: resistance(1) }))
  const waysAt = (laid: readonly PipeSpec[]): Float64Array => {
    const outcome = createTreeNetwork(laid, circuits, WARM_WATER)
    if (outcome.kind !== 'tree') throw new Error(`the pipes are no tree: ${outcome.kind}`)
    const { network } = outcome
    const flow = Float64Array.from(units, ({ designFlow }) => designFlow)
    const pipeFlow = sumFlows(network, flow, new Float64Array(network.pipeCount))
    const loss = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
    return Float64Array.from(units, ({ node }) => loss[node] ?? 0)
  }
  const narrow = wide.map((pipe, index) => (isLateral(index) ? { ...pipe, innerDiameter: NARROWEST } : pipe))
  const [index, most] = [waysAt(narrow), Math.max(...waysAt(wide))]
  return wide.map((pipe, at) => {
    const narrowed = narrow[at] ?? pipe
    const unit = Math.floor((at - 1) / PIPES_A_BUILDING)
    const isSteep = gradient(narrowed, units[unit]?.designFlow ?? 0) > LATERAL_PA_M
    return isSteep || (index[unit] ?? 0) > most ? pipe : narrowed
  })
}

/** Flows of all units at the present valves and pump speed, kg/s. */
function flowsOf({ pipes, units, pump, pumpSpeed }: StationSpec): Float64Array {
  const circuits = units.map(({ node, circuit }) => ({ node, resistance: circuit }))
  const valves = units.map(({ valve }) => valve)
  const outcome = createLoop(pipes, circuits, valves, WARM_WATER)
  if (outcome.kind !== 'loop') throw new Error(`the pipes are no tree: ${outcome.kind}`)
  const openings = Float64Array.from(units, ({ startOpening }) => startOpening)
  return solveLoop(outcome.model, openings, { kind: 'pump', pump, speed: pumpSpeed }).flowKgS
}

/** Openings after a season of complaints: valves with too little flow are opened in small steps until they have enough or are open. */
function answerComplaints(station: StationSpec): StationSpec {
  let now = station
  for (let round = 0; round < COMPLAINT_ROUNDS; round++) {
    const flows = flowsOf(now)
    const units = now.units.map((unit, i) => {
      const complains = (flows[i] ?? 0) < COMPLAINT_SHARE * unit.designFlow
      const opened = openingRatio(Math.min(1, unit.startOpening + COMPLAINT_STEP))
      return complains ? { ...unit, startOpening: opened } : unit
    })
    now = { ...now, units }
  }
  return now
}

/** True valves, planned pipes, and a pump sized for both. */
function suit(station: StationSpec, order: SiteOrder): StationSpec {
  const random = createRandom(order.seed + 17)
  const units = station.units.map((unit) => bend(unit, order, () => sampleNormal(random, 0, 1)))
  const pipes = layPipes(station)
  const consumers = units.map((unit) => ({ ...unit, designFlowKgS: unit.designFlow }))
  const pump = sizePump(pipes, consumers, STARVED_SHARE, station.pumpSpeed)
  return answerComplaints({ ...station, units, pipes, pump })
}

/** Stations of the twin. Each building is one staircase of twelve flats with a valve and a heat meter. */
export function generateScenario(order: SiteOrder): Scenario {
  const outcome = createScenario({
    ...namedRecipes.demo,
    name: 'bench',
    seed: order.seed,
    floorShare: order.floorShare,
    sick: order.sick,
    faults: [],
    company: {
      kind: 'made',
      tenant: 'heyuan',
      companyName: '和源',
      stations: order.stations,
      buildings: order.buildings,
      units: 1,
      floors: 6,
      flatsPerFloor: 2,
      sensorEvery: 0,
      meters: true,
    },
  })
  if (outcome.kind !== 'scenario') throw new Error(outcome.problems.join('; '))
  const { scenario } = outcome
  return { ...scenario, stations: scenario.stations.map((station) => suit(station, order)) }
}
