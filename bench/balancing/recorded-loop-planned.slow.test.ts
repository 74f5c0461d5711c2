import { expect, it } from 'vitest'
import { execute, RETURN, startStation, verify } from './twin-on-stores.testkit.ts'

it('balances a station with recorded mains and without recorded branches', async () => {
  const { twin, place } = await startStation({}, 1, 'drawn')
  const { count } = await twin.db
    .selectFrom('pipe')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(10)
  const plan = await twin.planner.plan(place, RETURN)
  expect(await execute(twin, place, plan)).toEqual([])
  const verified = await verify(twin, place, plan)
  expect(verified.indices.sigmaReturnK).toBeLessThan(0.3 * (plan.indices.before.sigmaReturnK ?? 0))
  const trim = await twin.planner.trim(place, RETURN, plan, verified)
  expect(await execute(twin, place, trim)).toEqual([])
  const again = await verify(twin, place, trim)
  expect(again.indices.sigmaReturnK).toBeLessThan(0.3 * (plan.indices.before.sigmaReturnK ?? 0))
}, 120_000)
