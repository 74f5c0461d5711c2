import { expect, it } from 'vitest'
import { namedRecipes } from '../../apps/twin/src/scenarios/named-recipes.ts'
import { execute, HOUR_S, RETURN, startStation } from './twin-on-stores.testkit.ts'

const FACTOR = 60

it('balances a field at a time factor of 60 within minutes', async () => {
  const { periodS, ...firmware } = namedRecipes.demo.firmware
  const fast = { ...firmware, periodS: { ...periodS, 'room-sensor': 5 } }
  const { twin, place } = await startStation({ firmware: fast }, FACTOR)
  const plan = await twin.planner.plan(place, RETURN)
  expect(plan.settleMs).toBe(120_000)
  expect(plan.members.filter(({ excluded }) => excluded)).toEqual([])
  expect(await execute(twin, place, plan)).toEqual([])
  const settledAt = twin.clock.now()
  await expect(twin.planner.verify(place, RETURN, plan, settledAt)).rejects.toMatchObject({
    code: 'balance.not-measured',
  })
  await twin.advance(HOUR_S)
  const { indices, members } = await twin.planner.verify(place, RETURN, plan, settledAt)
  expect(members.filter(({ after }) => after)).toHaveLength(20)
  expect(indices.sigmaReturnK).toBeLessThan(0.3 * (plan.indices.before.sigmaReturnK ?? 0))
}, 120_000)
