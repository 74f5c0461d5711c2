import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  holdHead,
  type MeasuredStation,
  planReturns,
  setEmitter,
  startMeasuredStation,
  storeEarlier,
} from './measured-station.testkit.ts'

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
  await setEmitter(station, 'b10', 'floor')
  // With another head two radiators cannot be balanced around floors that wait: such a plan is refused.
  await sql`
    insert into pump_limit (device_id, min_head_kpa, max_head_kpa, max_step_kpa)
    select id, 60, 61, 1 from device where serial = 'K-s1'`.execute(station.server.db)
})
afterAll(() => station.server.stop())

/** Limit of each valve's target by name, and the number of moves of a plan. */
async function plan() {
  const { members, moves } = await planReturns(station)
  return { limits: Object.fromEntries(members.map(({ deviceName, limit }) => [deviceName, limit])), moves }
}

test('floors wait after a change of the head as long as after a move, and radiators are balanced around them', async () => {
  await holdHead(station.server)
  const head = (value: number) => ({ metric: 'pump.target', value }) as const
  await storeEarlier(station.server, 'K-s1', head(62), 5)
  expect(Object.values((await plan()).limits)).not.toContain('settling')
  await storeEarlier(station.server, 'K-s1', head(90), 20)
  await storeEarlier(station.server, 'K-s1', head(90), 6)
  const { limits, moves } = await plan()
  expect(limits).toMatchObject({ 'V-b10u1': 'settling', 'V-b10u2': 'settling' })
  expect([limits['V-b2u1'], limits['V-b2u2']]).not.toContain('settling')
  expect(moves).toBeGreaterThan(0)
})
