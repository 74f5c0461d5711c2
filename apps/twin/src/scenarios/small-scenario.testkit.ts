import { createScenario } from './create-scenario.ts'
import { namedRecipes } from './named-recipes.ts'
import type { Recipe } from './recipe.ts'
import type { Scenario } from './scenario.ts'

/** Two stations of three buildings each: 18 units with 6 flats. */
const company: Recipe['company'] = {
  kind: 'made',
  tenant: 'heyuan',
  companyName: '和源',
  stations: 2,
  buildings: 3,
  units: 3,
  floors: 3,
  flatsPerFloor: 2,
  sensorEvery: 4,
  meters: true,
}

/** A company small enough to simulate days in a test; without faults unless the recipe has some. */
export function createSmall(changes: Partial<Recipe> = {}): Scenario {
  const outcome = createScenario({ ...namedRecipes.demo, name: 'small', company, faults: [], ...changes })
  if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
  return outcome.scenario
}

/** Serials and keys of the small company. */
export const small = {
  concentrator: '864001000000001',
  otherConcentrator: '864001000000002',
  valve: '11110000000101',
  otherValve: '11110000000202',
  meter: '22220000000001',
  unit: 'b1u1',
  building: 'b1',
  otherBuilding: 'b2',
} as const
