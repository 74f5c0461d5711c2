import { expect, it } from 'vitest'
import { AppError } from '../../apps/server/src/platform/app-error.ts'
import { createForeignPlanner, type ForeignPlanner } from '../foreign/drive/controller.ts'
import { generatePlant } from '../foreign/plant/generate-plant.ts'
import { startPlant } from '../foreign/plant/plant.ts'
import { createSite, live, type Site } from '../foreign/plant/site.ts'
import { createStrategy, tickStrategy } from './balance-strategy.ts'
import { createWinter } from './season-weather.ts'
import { balanceRules } from './strategies.ts'
import { noFaults } from './wear.ts'

const HOUR_S = 3600
const spec = generatePlant({ seed: 3, streets: [10] })

function start(): { readonly site: Site; readonly planner: ForeignPlanner } {
  const site = createSite(startPlant(spec, createWinter(3, 600, 3)), noFaults())
  live(site, 24 * HOUR_S)
  return { site, planner: createForeignPlanner(site, {}) }
}

it('retries a refused plan like the server: when rooms are at rest, else after five minutes, then twice as long', async () => {
  const { site, planner } = start()
  const strategy = createStrategy(balanceRules, site.plant.timeS)
  const refuse = (error: AppError): ForeignPlanner => ({ ...planner, plan: () => Promise.reject(error) })
  const waitS = async (error: AppError): Promise<number> => {
    await tickStrategy(strategy, site, refuse(error))
    return strategy.nextS - site.plant.timeS
  }
  const moving = new AppError('balance.rooms-moving', { node: 'station', waiting: 9, valves: 9, hours: 44 })
  expect(await waitS(moving)).toBe(44 * HOUR_S)
  const missing = new AppError('balance.not-measured', { node: 'station', measured: 0, valves: 9 })
  expect(await waitS(missing)).toBe(300)
  live(site, 600)
  expect(await waitS(missing)).toBe(1200)
  expect(strategy.hasHalted).toBe(false)
})

it('halts when its campaign aborts, and does nothing from then on', async () => {
  const { site, planner } = start()
  const strategy = createStrategy({ ...balanceRules, startAboveK: 0.1 }, site.plant.timeS)
  // Every valve goes silent after the plan, so nothing shows what it did.
  const failing: ForeignPlanner = {
    ...planner,
    async plan(...order) {
      const plan = await planner.plan(...order)
      const { offline } = site.instruments.faults
      for (const building of spec.buildings.keys()) if (offline instanceof Set) offline.add(building)
      return plan
    },
  }
  await tickStrategy(strategy, site, failing)
  expect(strategy.last).toMatchObject({ kind: 'aborted', abort: { kind: 'not-measured' } })
  expect(strategy.hasHalted).toBe(true)
  expect(strategy.nextS).toBe(Number.POSITIVE_INFINITY)
  const { timeS } = site.plant
  await tickStrategy(strategy, site, failing)
  expect(site.plant.timeS).toBe(timeS)
  expect(strategy.rounds).toHaveLength(1)
})
