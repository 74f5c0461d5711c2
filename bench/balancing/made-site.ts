import { flowCoefficient, metre } from '@isotherm/kernel/quantities'
import { createRandom, drawNormal } from '@isotherm/kernel/random'
import { createScenario } from '../../apps/twin/src/scenarios/create-scenario.ts'
import { namedRecipes } from '../../apps/twin/src/scenarios/named-recipes.ts'
import type { SickShares } from '../../apps/twin/src/scenarios/recipe.ts'
import type { Scenario, StationSpec, UnitSpec } from '../../apps/twin/src/scenarios/scenario.ts'
import { sizePump } from '../../apps/twin/src/scenarios/sizing.ts'

export interface SiteOrder {
  readonly seed: number
  readonly stations: number
  readonly buildings: number
  readonly floorShare: number
  readonly sick: SickShares
  /** How far valves are from their plates beyond what the twin draws: standard deviations of ln Kvs and ln R. */
  readonly unknownCurves: { readonly kvs: number; readonly rangeability: number } | undefined
}

export const HEALTHY: SickShares = { stuck: 0, deadSensors: 0, wrongAreas: 0 }
const STARVED_SHARE = 0.35
/** Speed of the water in the station's pipework, m/s: exchanger and strainer take some 60 kPa, as B.1 has them. */
const ROOT_M_S = 1
const WATER_KG_M3 = 988

function bend(unit: UnitSpec, order: SiteOrder, draw: () => number): UnitSpec {
  const { valve } = unit
  if (order.unknownCurves === undefined || valve.kind !== 'equal-percentage') return unit
  const kvs = flowCoefficient(valve.kvs * Math.exp(order.unknownCurves.kvs * draw()))
  const rangeability = valve.rangeability * Math.exp(order.unknownCurves.rangeability * draw())
  return { ...unit, valve: { kind: 'equal-percentage', kvs, rangeability } }
}

/** The twin's largest pipe is too small for a hundred buildings: the station's own pipework is widened and its pump chosen anew. */
function suit(station: StationSpec, order: SiteOrder): StationSpec {
  const random = createRandom(order.seed + 17)
  const units = station.units.map((unit) => bend(unit, order, () => drawNormal(random, 0, 1)))
  const total = units.reduce((sum, unit) => sum + unit.designFlow, 0)
  const innerDiameter = metre(Math.sqrt((4 * total) / (Math.PI * WATER_KG_M3 * ROOT_M_S)))
  const pipes = station.pipes.map((pipe, index) => (index === 0 ? { ...pipe, innerDiameter } : pipe))
  const consumers = units.map((unit) => ({ ...unit, designFlowKgS: unit.designFlow }))
  return {
    ...station,
    units,
    pipes,
    pump: sizePump(pipes, consumers, STARVED_SHARE, station.pumpSpeed),
  }
}

/** Stations of the twin, each building one staircase of twelve flats with its valve and its heat meter. */
export function makeScenario(order: SiteOrder): Scenario {
  const outcome = createScenario({
    ...namedRecipes.demo,
    ...{ name: 'bench', seed: order.seed, floorShare: order.floorShare, sick: order.sick, faults: [] },
    company: {
      ...{ kind: 'made', tenant: 'heyuan', companyName: '和源', stations: order.stations },
      ...{ buildings: order.buildings, units: 1, floors: 6, flatsPerFloor: 2, sensorEvery: 0, meters: true },
    },
  })
  if (outcome.kind !== 'scenario') throw new Error(outcome.problems.join('; '))
  const { scenario } = outcome
  return { ...scenario, stations: scenario.stations.map((station) => suit(station, order)) }
}
