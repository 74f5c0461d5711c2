import {
  addRoomVisit,
  closeRoomVisit,
  getRoomCompliance,
  getRoomRules,
  getRooms,
  getRoomVisits,
  setRoomRules,
} from '@isotherm/contract/endpoints/monitoring/rooms'
import { metrics } from '@isotherm/contract/metrics'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { roomVisit } from '@isotherm/contract/rooms/room-visit'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTimeZone } from '../../platform/time-zone.ts'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from '../../testing/server.testkit.ts'

/** The clocks go back here on 2026-10-25, a day of 25 hours. */
const ZONE = 'Europe/Berlin'
const { toInstant, toLocal } = createTimeZone(ZONE)
const dayStart = (date: string): number => toInstant(Date.parse(`${date}T00:00:00Z`))

let server: TestServer
let keeper: Tokens
const range = { from: '2026-10-24', to: '2026-10-26' }

/** Hourly readings of a room over three local days of 24, 25 and 24 hours. */
async function insert(serial: string, toRoomC: (localHour: number, day: number) => number | undefined) {
  const device = await server.deviceId(serial)
  const rows: object[] = []
  const start = dayStart(range.from)
  for (let ts = start; ts < dayStart('2026-10-27'); ts += HOUR_MS) {
    const local = toLocal(ts)
    const day = Math.floor((local - Date.parse(range.from)) / DAY_MS)
    const value = toRoomC(new Date(local).getUTCHours(), day)
    if (value === undefined) continue
    const key = { node: 1, boot: 1, seq: 1, months: 1, live: 1, quality: 0 }
    const text = new Date(ts).toISOString()
    rows.push({ device, metric: metrics['temp.room'].id, value, ts: text, received: text, ...key })
  }
  await server.clickhouse.insert({ table: 'readings', values: rows, format: 'JSONEachRow' })
}

beforeAll(async () => {
  server = await startTestServer({ settings: { ISOTHERM_TIME_ZONE: ZONE } })
  await server.createAccount('keeper', ['pr-rtalarm', 'pd-rtcaldevmanager'], ['s1'])
  keeper = await server.logIn('keeper')
  // Two kelvin too cold in the night from 0 to 6, which the day of the change of the clocks has for seven hours.
  await insert('R-b2u1', (hour) => (hour < 6 ? 16 : 20))
  // Below 16 °C on the second day, of which a third is measured, and on the third.
  await insert('R-b2u2', (hour, day) => (day === 0 ? 20 : day === 1 && hour >= 8 ? undefined : 15))
  await buildAllRollups(server, ZONE)
}, 60_000)
afterAll(() => server.stop())

const call = async (endpoint: Parameters<TestServer['call']>[0], input: object) =>
  server.call(endpoint, input, keeper['ht-api'])

test('hours, degree-hours and refunds are those of the local days, also with 25 hours', async () => {
  const compliance = async () => (await call(getRoomCompliance, range)).data
  await expect.poll(compliance).toMatchObject({
    total: 2,
    ...range,
    sums: { hours: 73 + 24 + 9 + 24, coldHours: 19 + 9 + 24, roomsWithRefund: 1, unpriced: 1 },
    datalist: [
      // The second day has 9 measured hours of 25: it is no day that could have a refund.
      { device: { imei: 'R-b2u2' }, degreeHours: 99, coldHours: 33, days: 2, coldDays: 1, refundDays: 0.5 },
      { device: { imei: 'R-b2u1' }, degreeHours: 38, coldHours: 19, days: 3, coldDays: 0, refundDays: 0 },
    ],
  })
}, 60_000)

test('days are counted the same from their hourly means, from hours, and partly from each', async () => {
  const count = async () => (await call(getRoomCompliance, range)).data
  const whole = await count()
  // As a server without hourly means in its days has stored it.
  await server.clickhouse.command({
    query: `INSERT INTO readings_day SELECT * EXCEPT (mean_hours, hour_means), [], [] FROM readings_day FINAL
      WHERE day = '2026-10-25'`,
  })
  expect(await count()).toEqual(whole)
  await server.clickhouse.command({
    query: 'DELETE FROM readings_hour WHERE toDate(hour, {zone: String}) != {day: Date}',
    query_params: { zone: ZONE, day: '2026-10-25' },
  })
  expect(await count()).toEqual(whole)
})

test('rules of a node apply below it: hours of the day, limits, steps and the fee', async () => {
  const node = await server.nodeKey('s1')
  const rules = {
    ...defaultRoomRules,
    coldC: 20,
    fromHour: 0,
    toHour: 6,
    refunds: [{ belowC: 20, percent: 10 }],
    yuanPerM2: 12.1,
  }
  const set = await call(setRoomRules, { node, rules, version: 0 })
  expect(set.data).toMatchObject({ node, nodeName: '一号站', version: 1 })
  expect((await call(getRoomRules, { node: await server.nodeKey('b2') })).data).toMatchObject({
    rules: { coldC: 20 },
    node,
    version: 0,
  })
  // 12.1 yuan per m² of 121 days and 90 m²: 9 yuan a day, a tenth of it refunded.
  expect(
    (await call(getRoomCompliance, { ...range, nodes: [await server.nodeKey('b2')], text: 'R-b2u1' })).data,
  ).toMatchObject({
    datalist: [{ areaM2: 90, hours: 19, coldHours: 19, degreeHours: 76, coldDays: 3, refundYuan: 2.7 }],
    sums: { unpriced: 0 },
  })
  const stale = await call(setRoomRules, { node, rules, version: 0 })
  expect(stale.code).toBe('entity.stale')
  const upsideDown = await call(setRoomRules, { node, rules: { ...rules, hotC: 19 }, version: 1 })
  expect(upsideDown.code).toBe('request.malformed')
})

test('a room is judged by the rules of its own place, also if more is selected', async () => {
  const node = await server.nodeKey('b2')
  const rules = { ...defaultRoomRules, coldC: 21, yuanPerM2: 0 }
  await call(setRoomRules, { node, rules, version: 0 })
  // Of three days, 19 hours at 16 °C and 54 at 20 °C; the rules of the station would count the nights only.
  expect((await call(getRoomCompliance, { ...range, text: 'R-b2u1' })).data).toMatchObject({
    rules: { coldC: 20, toHour: 6 },
    otherRules: 1,
    datalist: [{ hours: 73, coldHours: 73, degreeHours: 19 * 5 + 54 }],
  })
  const rooms = await call(getRooms, { text: 'R-b2u1' })
  expect(rooms.data).toMatchObject({ total: 1, rules: { coldC: 20 }, otherRules: 1 })
})

test('a complaint is open until its measurement is recorded, with the reading of the sensor at that time', async () => {
  const deviceId = await server.deviceId('R-b2u1')
  const requestedAt = dayStart('2026-10-26') + 9 * HOUR_MS
  const request = { deviceId, requestedAt, resident: '王', phone: '139', complaint: '客厅冷' }
  const added = roomVisit.parse((await call(addRoomVisit, request)).data)
  expect(added).toMatchObject({ sensorC: 20, createdBy: 'keeper', version: 1 })
  expect((await call(getRoomVisits, { isOpen: true })).data).toMatchObject({ total: 1 })
  const result = {
    measuredAt: dayStart('2026-10-26') + 3 * HOUR_MS,
    measuredC: 16.4,
    conditions: ['shut', 'centre'],
    inspector: '李',
    isSigned: true,
    remark: '',
  }
  const close = { deviceId, visit: added.visit, version: 1, result }
  expect((await call(closeRoomVisit, close)).data).toMatchObject({ sensorC: 16, result, version: 2 })
  expect((await call(closeRoomVisit, { ...close, version: 2 })).code).toBe('room-visit.not-found')
  expect((await call(getRoomVisits, { isOpen: true })).data).toMatchObject({ total: 0 })
  const valve = { ...request, deviceId: await server.deviceId('V-b2u1') }
  expect((await call(addRoomVisit, valve)).code).toBe('device.not-found')
})
