import type { Language } from '@isotherm/contract/locales/error-text'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { createRandom, type Random } from '@isotherm/kernel/random'
import type { Fault } from '../faults/fault.ts'
import { layOutDemo } from './layouts/demo-layout.ts'
import { layOutCompany } from './layouts/generated-layout.ts'
import { layOutIrrigation } from './layouts/irrigation-layout.ts'
import type { CompanyLayout } from './layouts/layout.ts'
import { layOutRegistry } from './layouts/registry-layout.ts'
import { type ScenarioName, toNamedRecipe } from './named-recipes.ts'
import { scenarioNames } from './names/scenario-names.ts'
import { assignOwnLinks } from './own-links.ts'
import type { FaultShares, Recipe } from './recipe.ts'
import type { Scenario, StationSpec } from './scenario.ts'
import { samplePumpHouse } from './stations/sample-pump-house.ts'
import { sampleStation } from './stations/sample-station.ts'

/** Separates the random numbers of faults from those of the physics. */
const FAULTS = 3_000_000

export type ScenarioOutcome =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'unusable'; readonly problems: readonly string[] }

/** Items in random order (Fisher and Yates). */
function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1))
    const [here, there] = [shuffled[last], shuffled[at]]
    if (here === undefined || there === undefined) continue
    shuffled[last] = there
    shuffled[at] = here
  }
  return shuffled
}

/** Faulty devices. None has two faults, so that the verdicts of a balancing algorithm can be counted separately. */
function sampleFaults(stations: readonly StationSpec[], faulty: FaultShares, seed: number): Fault[] {
  const random = createRandom(seed + FAULTS)
  const units = shuffle(
    stations.flatMap((station) => station.units),
    random,
  )
  const rooms = shuffle(
    units.flatMap((unit) => unit.households.flatMap((flat) => flat.roomSensor ?? [])),
    random,
  )
  const take = (share: number) => units.splice(0, Math.round(share * all))
  const all = units.length
  return [
    ...take(faulty.stuck).map((unit): Fault => ({ kind: 'stuck', target: unit.valveSerial })),
    ...take(faulty.deadSensors).map(
      (unit): Fault => ({ kind: 'frozen', target: unit.valveSerial, metric: 'temp.return' }),
    ),
    ...take(faulty.wrongAreas).map(
      (unit): Fault => ({ kind: 'wrong-area', target: unit.key, factor: random() < 0.5 ? 0.5 : 2 }),
    ),
    ...rooms
      .slice(0, Math.round(faulty.deadSensors * rooms.length))
      .map((target): Fault => ({ kind: 'offline', target })),
  ]
}

function draw(recipe: Recipe, layout: CompanyLayout): Scenario {
  const {
    name,
    seed,
    language,
    floorShare,
    flowInValves,
    ringMains,
    ownLinkShare,
    weather,
    firmware,
    faulty,
    faults,
  } = recipe
  const properties = { floorShare, measuresFlow: flowInValves, ringMains }
  const shuffled = layout.stations.map((station, index) =>
    station.watering === undefined
      ? sampleStation(seed, index + 1, station, properties)
      : samplePumpHouse(seed, index + 1, station, station.watering),
  )
  const stations = assignOwnLinks(shuffled, ownLinkShare, seed)
  return {
    ...layout,
    name,
    seed,
    language,
    stations,
    weather,
    firmware,
    faults: [...faults, ...sampleFaults(stations, faulty, seed)],
  }
}

/** Generates a scenario. `registry`: the file of a recipe of kind registry. */
export function createScenario(recipe: Recipe, registry?: RegistryFile): ScenarioOutcome {
  const { company, seed, language } = recipe
  const names = scenarioNames[language]
  if (company.kind === 'demo') return { kind: 'scenario', scenario: draw(recipe, layOutDemo(seed, names)) }
  if (company.kind === 'made') {
    const layout = layOutCompany(company, seed, company, names)
    return { kind: 'scenario', scenario: draw(recipe, layout) }
  }
  if (company.kind === 'irrigation') {
    const layout = layOutIrrigation(company, seed, company, names)
    return { kind: 'scenario', scenario: draw(recipe, layout) }
  }
  if (registry === undefined) return { kind: 'unusable', problems: [`${company.file} was not read`] }
  const outcome = layOutRegistry(registry, seed)
  if (outcome.kind === 'unusable') return outcome
  return { kind: 'scenario', scenario: draw(recipe, outcome.layout) }
}

/** One of the named scenarios. */
export function createNamed(name: ScenarioName, language: Language = 'zh'): Scenario {
  const outcome = createScenario(toNamedRecipe(name, language))
  if (outcome.kind === 'unusable') throw new Error(`${name}: ${outcome.problems.join('; ')}`)
  return outcome.scenario
}
