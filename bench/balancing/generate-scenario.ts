import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import { createLoop, pathLosses, sumFlows } from '@isotherm/balancing/loop/loop-model'
import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { createTreeNetwork, type PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, openingRatio, resistance } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { createScenario } from '../../apps/twin/src/scenarios/create-scenario.ts'
import { namedRecipes } from '../../apps/twin/src/scenarios/named-recipes.ts'
import type { FaultShares } from '../../apps/twin/src/scenarios/recipe.ts'
import type { Scenario, StationSpec, UnitSpec } from '../../apps/twin/src/scenarios/scenario.ts'
import { sizePump } from '../../apps/twin/src/scenarios/stations/sizing.ts'

export interface SiteSettings {
  readonly seed: number
  readonly stations: number
  readonly buildings: number
  readonly floorShare: number
  readonly faulty: FaultShares
  /** Deviation of the true valves from their name plates: standard deviations of ln Kvs and ln R (rangeability). */
  readonly unknownCurves: { readonly kvs: number; readonly rangeability: number } | undefined
}

export const HEALTHY: FaultShares = { stuck: 0, deadSensors: 0, wrongAreas: 0 }
/** Share of buildings with less than the design flow. It is small, because operators raise the pump until few complain. */
const STARVED_SHARE = 0.1
/** Speed of the water in the station's pipes, m/s. Then exchanger and strainer drop about 60 kPa (GB 50019-2003, B.1). */
const ROOT_M_S = 1
const WATER_KG_M3 = 988
/** The twin's blocks have three staircases. Here a building is one staircase and takes a third of the street length. */
const STAIRCASES_PER_BLOCK = 3
/** The twin's pipe list is the station's outlet, followed by a street pipe, an inlet and a cellar pipe per building. */
const PIPES_PER_BUILDING = 3
/** Inner diameter of the narrowest steel pipe, and the highest friction of a lateral, Pa/m; it uses up excess head. */
const MIN_DIAMETER = metre(0.041)
const LATERAL_PA_M = 300

function deviateValve(unit: UnitSpec, settings: SiteSettings, sampleDeviation: () => number): UnitSpec {
  const { valve } = unit
  if (settings.unknownCurves === undefined || valve.kind !== 'equal-percentage') return unit
  const kvs = flowCoefficient(valve.kvs * Math.exp(settings.unknownCurves.kvs * sampleDeviation()))
  const rangeability = valve.rangeability * Math.exp(settings.unknownCurves.rangeability * sampleDeviation())
  return { ...unit, valve: { kind: 'equal-percentage', kvs, rangeability } }
}

const COMPLAINT_SHARE = 0.8
const COMPLAINT_STEP = 0.05
const COMPLAINT_ROUNDS = 12
const isLateral = (pipe: number): boolean => pipe > 0 && (pipe - 1) % PIPES_PER_BUILDING !== 0

/** Pressure gradient of one pipe (supply or return) in fully rough flow, Pa/m. */
function gradient(pipe: PipeSpec, flowKgS: number): number {
  const factor = frictionFactor(1e7, pipe.roughness / pipe.innerDiameter)
  return (8 * factor * flowKgS ** 2) / (WATER_KG_M3 * Math.PI ** 2 * pipe.innerDiameter ** 5)
}

/**
 * Sizes the pipes like a planner (GB 50019-2003 §4.8.6 and B.1). The main to the index circuit has economic friction.
 * Laterals near the station are narrower (up to 300 Pa/m), as long as their loop drops no more than the index loop. The
 * station's outlet is widened, because the twin's largest pipe is too small for a hundred buildings.
 */
function layPipes({ pipes, units }: StationSpec): PipeSpec[] {
  const total = units.reduce((sum, unit) => sum + unit.designFlow, 0)
  const wide = pipes.map((pipe, index) => {
    if (index === 0)
      return { ...pipe, innerDiameter: metre(Math.sqrt((4 * total) / (Math.PI * WATER_KG_M3 * ROOT_M_S))) }
    return isLateral(index) ? pipe : { ...pipe, length: metre(pipe.length / STAIRCASES_PER_BLOCK) }
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
  const narrow = wide.map((pipe, index) =>
    isLateral(index) ? { ...pipe, innerDiameter: MIN_DIAMETER } : pipe,
  )
  const [index, maxLoss] = [waysAt(narrow), Math.max(...waysAt(wide))]
  return wide.map((pipe, at) => {
    const narrowed = narrow[at] ?? pipe
    const unit = Math.floor((at - 1) / PIPES_PER_BUILDING)
    const isSteep = gradient(narrowed, units[unit]?.designFlow ?? 0) > LATERAL_PA_M
    return isSteep || (index[unit] ?? 0) > maxLoss ? pipe : narrowed
  })
}

/** Flows of all units at the start openings and the pump's speed, kg/s. */
function computeFlows({ pipes, units, pump, pumpSpeed }: StationSpec): Float64Array {
  const circuits = units.map(({ node, circuit }) => ({ node, resistance: circuit }))
  const valves = units.map(({ valve }) => valve)
  const outcome = createLoop(pipes, circuits, valves, WARM_WATER)
  if (outcome.kind !== 'loop') throw new Error(`the pipes are no tree: ${outcome.kind}`)
  const openings = Float64Array.from(units, ({ startOpening }) => startOpening)
  return solveLoop(outcome.model, openings, { kind: 'pump', pump, speed: pumpSpeed }).flowKgS
}

/** Simulates a season of complaints: valves with too little flow open in small steps until it suffices or they are open. */
function answerComplaints(station: StationSpec): StationSpec {
  let now = station
  for (let round = 0; round < COMPLAINT_ROUNDS; round++) {
    const flows = computeFlows(now)
    const units = now.units.map((unit, i) => {
      const complains = (flows[i] ?? 0) < COMPLAINT_SHARE * unit.designFlow
      const opened = openingRatio(Math.min(1, unit.startOpening + COMPLAINT_STEP))
      return complains ? { ...unit, startOpening: opened } : unit
    })
    now = { ...now, units }
  }
  return now
}

/** A station with deviating valves, planned pipes, and a pump sized for both. */
function fitToNetwork(station: StationSpec, settings: SiteSettings): StationSpec {
  const random = createRandom(settings.seed + 17)
  const units = station.units.map((unit) => deviateValve(unit, settings, () => sampleNormal(random, 0, 1)))
  const pipes = layPipes(station)
  const consumers = units.map((unit) => ({ ...unit, designFlowKgS: unit.designFlow }))
  const pump = sizePump(station.name, pipes, consumers, STARVED_SHARE, station.pumpSpeed)
  return answerComplaints({ ...station, units, pipes, pump })
}

/** Generates stations of the twin. Each building is one staircase of twelve flats with a valve and a heat meter. */
export function generateScenario(settings: SiteSettings): Scenario {
  const outcome = createScenario({
    ...namedRecipes.demo,
    name: 'bench',
    seed: settings.seed,
    floorShare: settings.floorShare,
    faulty: settings.faulty,
    faults: [],
    company: {
      kind: 'made',
      tenant: 'heyuan',
      companyName: '和源',
      stations: settings.stations,
      buildings: settings.buildings,
      units: 1,
      floors: 6,
      flatsPerFloor: 2,
      sensorEvery: 0,
      meters: true,
    },
  })
  if (outcome.kind !== 'scenario') throw new Error(outcome.problems.join('; '))
  const { scenario } = outcome
  return { ...scenario, stations: scenario.stations.map((station) => fitToNetwork(station, settings)) }
}
