import { strategyDetail } from '@isotherm/contract/balancing/strategies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, startMeasuredStation, storeEarlier } from '../plan/measured-station.testkit.ts'
import { byHeat } from './supply.testkit.ts'

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
})
afterAll(() => station.server.stop())

test('a started strategy reads the rooms of its loop, and reports that too few are measured', async () => {
  const { server, call } = station
  for (const [room, value] of [
    ['R-b2u1', 21],
    ['R-b10u1', 19.5],
  ] as const)
    for (const hoursAgo of [30, 5]) await storeEarlier(server, room, { metric: 'temp.room', value }, hoursAgo)
  const node = await server.nodeKey('s1')
  const { id, version } = strategyDetail.parse((await call('addStrategy', { node, plan: byHeat })).data)
  await call('startStrategy', { id, version })
  const read = async () => strategyDetail.parse((await call('getStrategy', { id })).data)
  await expect.poll(async () => (await read()).supply).toBeDefined()
  const { supply } = await read()
  expect(supply).toMatchObject({ kind: 'hold', reason: 'not-measured', measuredRooms: 2, coldShare: 0 })
  expect(supply?.lowestC).toBeCloseTo(19.575, 2)
})
