import { expect, it } from 'vitest'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { solveFlows } from './station-flows.ts'
import { createStationPlant, type StationPlant } from './station-plant.ts'

const NO_TIME = { tolerance: 1e-7, maxRefreshes: 1 }

function createStation(): StationPlant {
  const [spec] = createSmall().stations
  if (spec === undefined) throw new Error('no station')
  return createStationPlant(spec, -5)
}

it('refuses flows whose friction was not found, by the name of the station', () => {
  const plant = createStation()
  expect(() => solveFlows(plant, NO_TIME)).toThrow(`${plant.spec.name}: no flows were found for the pipes`)
  solveFlows(plant)
  expect(plant.hydraulics.totalFlow).toBeGreaterThan(0)
})

it('has no flow, and nothing to refuse, while the master valve is shut', () => {
  const plant = createStation()
  plant.isMasterOpen = false
  solveFlows(plant)
  expect([plant.hydraulics.totalFlow, ...plant.hydraulics.circuitFlow].every((flow) => flow === 0)).toBe(true)
})
