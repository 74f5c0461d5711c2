import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClickhouse } from '../../../../platform/clickhouse/clickhouse.ch.ts'
import { systemClock } from '../../../../platform/clock.ts'
import type { Place } from '../../loop/place.ts'
import {
  type MeasuredStation,
  startMeasuredStation,
  storeEarlier,
} from '../../plan/measured-station.testkit.ts'
import { readSupplyRooms, toFreshMs } from './supply-rooms.ts'

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
})
afterAll(() => station.server.stop())

test('a room with readings of the last day is measured, but only one of the last two hours is new', async () => {
  const { server } = station
  for (const [room, hoursAgo] of [
    ['R-b2u1', 5],
    ['R-b2u2', 1],
  ] as const)
    await storeEarlier(server, room, { metric: 'temp.room', value: 21 }, hoursAgo)
  const clickhouse = createClickhouse(server.config)
  const { path } = await server.db
    .selectFrom('node')
    .innerJoin('device', 'device.node_id', 'node.id')
    .where('device.name', '=', 'K-s1')
    .select('node.path')
    .executeTakeFirstOrThrow()
  const place: Pick<Place, 'stationPath' | 'nodeName'> = { stationPath: path, nodeName: 's1' }
  const rooms = await readSupplyRooms(
    {
      db: server.db,
      clickhouse,
      clock: systemClock,
      states: { find: () => undefined },
      timeFactor: () => 1,
      findTimeConstant: async () => ({ kind: 'not-measured' }),
    },
    place,
  )
  await clickhouse.close()
  expect(rooms.roomsC.filter(Number.isFinite)).toHaveLength(2)
  expect(rooms.measuredShare).toBe(0.5)
  expect(rooms.fresh.roomsC.filter(Number.isFinite)).toHaveLength(1)
  expect(rooms.fresh.share).toBe(0.25)
  // Supply, return and weather of the last day at the station, and the valves with a measured room.
  expect(rooms.differenceK).toBeCloseTo(7.5, 6)
  expect(rooms.outdoorC).toBeCloseTo(-5, 6)
  expect(rooms.valves.map(({ coldestC }) => coldestC)).toEqual([21, 21])
})

test('a new reading is at most two hours of the plant, or three report periods, old', () => {
  expect(toFreshMs(600, 1)).toBe(2 * HOUR_MS)
  expect(toFreshMs(600, 60)).toBe(30 * MINUTE_MS)
  expect(toFreshMs(6 * 3_600, 1)).toBe(18 * HOUR_MS)
})
