import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignState } from '@isotherm/contract/balancing'
import { finalCommandStates } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import { scopeOfEverything } from '../../platform/scope.ts'
import { afterTwoWaves, createTestPlan, twoWaves } from './campaign-plan.testkit.ts'
import { FIRST_PCT, serials, startKilledBench } from './killed.testkit.ts'
import { createCampaignStore } from './store.pg.ts'

const TIMEOUT_MS = 180_000
const program = new URL('./campaign-server.testkit.ts', import.meta.url)

test('K11: a campaign whose servers are killed comes to its end, and every valve to where it was', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startKilledBench(program)
  const { told, openings, place, clock, who } = bench
  const store = createCampaignStore(bench.db)
  await bench.launch()
  const plan = createTestPlan(bench.listValves(), twoWaves, { node: place.node, plannedAt: clock.now() })
  const mode = { kind: 'temperature', target: 'return' } as const
  const id = await store.add(place, mode, plan, who(), toSystemOperation('addCampaign', clock.now()))
  const get = async () => {
    const found = await store.find(scopeOfEverything, id)
    if (!found) throw new Error('it is gone')
    return found
  }
  const move = async (event: 'approve' | 'rollback') =>
    store.move(event, { id, version: (await get()).version, ...who() }, toSystemOperation(event, clock.now()))
  const until = async (isReached: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isReached())) await pause(5)
  }
  const isIn = (state: CampaignState) => async () => (await get()).state === state
  /** Kills the server as soon as something is so, and starts another. */
  const dieOnce = async (isReached: () => boolean | Promise<boolean>): Promise<void> => {
    await until(isReached)
    await bench.kill()
    await bench.launch()
  }

  await move('approve')
  await dieOnce(() => told.size >= 1)
  await dieOnce(() => told.size >= 3)
  await dieOnce(isIn('settling'))
  await until(isIn('verified'))
  expect(Object.fromEntries(openings)).toEqual(afterTwoWaves)

  await move('rollback')
  await dieOnce(async () =>
    (await get()).steps.some(({ kind, state }) => kind === 'back' && state === 'given'),
  )
  await dieOnce(() => told.size >= 7)
  await until(isIn('rolled-back'))
  expect([...openings]).toEqual(serials.map((serial) => [serial, FIRST_PCT]))

  const orders = await bench.listOrders()
  for (const [serial, openingPct] of Object.entries(afterTwoWaves)) {
    const ofValve = orders.filter((order) => order.serial === serial)
    expect(ofValve.map((order) => order.openingPct)).toEqual([openingPct, FIRST_PCT])
    for (const { state } of ofValve) expect(finalCommandStates).toContain(state)
  }
  expect((await get()).steps.map(({ unanswered }) => unanswered)).toEqual([0, 0, 0, 0])
})
