import { expect, test } from 'vitest'
import { drawFaults } from '../cases/draw-faults.ts'
import { createPlants, PLANNED_S } from '../cases/run-case.ts'
import { copyPlant } from '../plant/plant.ts'
import { createSite, live } from '../plant/site.ts'
import { executeRound } from './campaign.ts'
import { createForeignPlanner } from './controller.ts'
import { invertedOf, valveId } from './registry.ts'

const MODE = { kind: 'temperature', target: 'return' } as const

/** One of the three valves that report 100 − x is nearly closed by the first plan, because it reports 3 % at 97 %. */
test('inverted valves that starved get back what they had, are named by the verdict, and are in no later plan', {
  timeout: 240_000,
}, async () => {
  const plant = createPlants()(1, { name: 'inverted' })
  const { inverted, instruments } = drawFaults(1, plant.motors.length, { invertedReports: 0.05 }, true)
  const site = createSite(copyPlant(plant), instruments)
  live(site, PLANNED_S)
  const planner = createForeignPlanner(site, {})
  const plan = await planner.plan(MODE, [])
  const flows = () => [...inverted].map((building) => site.plant.flows.branchKgS[building] ?? 0)
  const before = flows()
  const done = await executeRound(site, planner, MODE, plan)
  expect(done.kind).toBe('verified')
  const found = invertedOf(site)
  expect(found.size).toBeGreaterThan(0)
  expect([...found].every((id) => [...inverted].map(valveId).includes(id))).toBe(true)
  for (const [index, flow] of flows().entries()) expect(flow).toBeGreaterThan(0.85 * (before[index] ?? 0))
  const members = done.verification?.members ?? []
  expect(
    new Set(members.flatMap(({ deviceId, verdict }) => (verdict === 'inverted' ? deviceId : []))),
  ).toEqual(found)
  const trim = await planner.trim(MODE, [done], done.verification?.memory)
  for (const { deviceId, excluded } of trim.members)
    expect(excluded === 'inverted', `${deviceId}`).toBe(found.has(deviceId))
})
