import { getReport, getReportCourse } from '@isotherm/contract/endpoints/monitoring/statistics'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { mainFigure, reportNames } from '@isotherm/contract/statistics/reports'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTimeZone } from '../../platform/time-zone.ts'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { createRegistry, importAndWait } from '../../testing/core.testkit.ts'
import { startTestServer, type Tokens } from '../../testing/server.testkit.ts'

/** The clocks go back here on 2026-10-25, a day of 25 hours. */
const ZONE = 'Europe/Berlin'
const { toInstant } = createTimeZone(ZONE)
const dayStart = (date: string): number => toInstant(Date.parse(`${date}T00:00:00Z`))
const range = { period: 'range', from: '2026-10-21', to: '2026-10-31' } as const
const DAYS = 11

let server: Awaited<ReturnType<typeof startTestServer>>
let analyst: Tokens
let seq = 0

/** Readings that wait for the insert: one insert for all, so that one pass of the rollups sees them. */
const rows: object[] = []

/** Hourly readings of a device from the start of a local day until the end of another. */
async function add(
  serial: string,
  metric: MetricName,
  value: (hour: number) => number | undefined,
  { from, to } = { from: '2026-10-15', to: '2026-11-05' },
) {
  seq += 1
  const device = await server.deviceId(serial)
  for (let ts = dayStart(from); ts < dayStart(to) + DAY_MS; ts += HOUR_MS) {
    const read = value((ts - dayStart(from)) / HOUR_MS)
    if (read === undefined) continue
    const [at, received] = [ts, ts + 60_000].map((ms) => new Date(ms).toISOString())
    const message = { node: 1, boot: 1, seq, months: 1, live: 1 }
    rows.push({ device, metric: metrics[metric].id, value: read, ts: at, received, quality: 0, ...message })
  }
}

beforeAll(async () => {
  server = await startTestServer({ settings: { ISOTHERM_TIME_ZONE: ZONE } })
  const registry = createRegistry()
  const more = (serial: string, kind: 'heat-meter' | 'station', node: string, periodS = 3_600) => ({
    serial,
    kind,
    name: serial,
    model: 'T1',
    node,
    concentrator: null,
    periodS,
  })
  const devices = [
    ...registry.devices,
    more('S-s1', 'station', 's1'),
    more('S-s2', 'station', 's2'),
    more('H-b2', 'heat-meter', 'b2'),
    // Reports in every second hour: of the week with 121 hours in 60.5.
    more('H-b10', 'heat-meter', 'b10', 7_200),
  ]
  await importAndWait(server, { ...registry, devices })
  await server.createAccount('analyst', ['ps-statsys'], ['s1'])
  analyst = await server.logIn('analyst')
  const returns = { 'V-b2u1': 38, 'V-b2u2': 42, 'V-b10u1': 39.5, 'V-b10u2': 40.5 }
  for (const [serial, returnC] of Object.entries(returns)) {
    // An hourly wave that cancels out over a day, so that one hour is not the mean.
    await add(serial, 'temp.return', (hour) => returnC + (hour % 2 === 0 ? 3 : -3))
    // One valve goes to and fro by a fifth of its stroke each day.
    await add(serial, 'valve.opening', (hour) => (serial !== 'V-b2u1' || hour % 2 === 0 ? 50 : 30))
  }
  // Another station: nobody with a grant on s1 may see its values.
  await add('V-b3u1', 'temp.return', () => 20)
  await add('H-b2', 'heat.energy', (hour) => 1_000 + 6 * hour)
  await add('H-b10', 'heat.energy', (hour) => 2_000 + 3 * hour)
  // Every second hour is missing.
  await add('R-b2u1', 'temp.room', (hour) => (hour % 2 === 0 ? 21 : undefined))
  await add('R-b2u2', 'temp.room', () => 17)
  await add('S-s1', 'pump.power', () => 3.6)
  await add('C-b2', 'temp.outdoor', () => 8)
  await server.clickhouse.insert({ table: 'readings', values: rows, format: 'JSONEachRow' })
  await buildAllRollups(server, ZONE)
}, 60_000)
afterAll(() => server.stop())

const get = async (report: string, other: object = {}) => {
  const input = { report, level: 'building', ...range, ...other }
  return getReport.output.parse((await server.call(getReport, input, analyst['ht-api'])).data)
}

test('the balance of a period is the index of balance over the mean returns of the valves', async () => {
  await expect.poll(async () => (await get('balance')).whole.now.measured).toBe(4)
  const found = await get('balance', { sort: 'sigmaReturnK', descending: true })
  // Equal areas: σ of 38, 42, 39.5, 40.5 around 40 is √(8.5/4).
  expect(found).toMatchObject({
    total: 2,
    days: DAYS,
    whole: { now: { figures: { sigmaReturnK: expect.closeTo(Math.sqrt(8.5 / 4), 2), withinOneK: 0.5 } } },
    datalist: [
      { name: '二号楼', now: { measured: 2, devices: 2, figures: { sigmaReturnK: expect.closeTo(2, 2) } } },
      { name: '十号楼', now: { figures: { sigmaReturnK: expect.closeTo(0.5, 2), withinOneK: 1 } } },
    ],
  })
  expect(found.distribution.counts.reduce((sum, each) => sum + each, 0)).toBe(2)
}, 60_000)

test('the period before has its own figures, and a valve silent for most of it is not measured', async () => {
  const compared = (compareFrom: string, compareTo: string) =>
    get('balance', { compare: 'range', compareFrom, compareTo })
  const found = await compared('2026-10-01', '2026-10-18')
  // Four of 18 days have readings.
  expect(found.datalist[0]).toMatchObject({ before: { measured: 0, devices: 2, figures: {} } })
  const near = await compared('2026-10-16', '2026-10-20')
  expect(near.whole).toMatchObject({ before: { measured: 4 } })
})

test('heat is that of the registers, per area and degree-day, through a day of 25 hours', async () => {
  const hours = DAYS * 24 + 1
  const found = await get('heat', { level: 'building', sort: 'heatKwh', descending: true })
  expect(found).toMatchObject({
    degreeDays: 10 * DAYS,
    datalist: [
      {
        name: '二号楼',
        now: {
          measured: 1,
          devices: 1,
          figures: {
            heatKwh: expect.closeTo(6 * hours, 6),
            kwhPerM2: expect.closeTo((6 * hours) / 180, 6),
            whPerM2Kd: expect.closeTo((1_000 * 6 * hours) / 180 / 110, 6),
            estimatedShare: 0,
            areaM2: 180,
          },
        },
      },
      { name: '十号楼', now: { figures: { heatKwh: expect.closeTo(3 * hours, 6) } } },
    ],
    whole: { now: { figures: { heatKwh: expect.closeTo(9 * hours, 6), areaM2: 360 } } },
  })
})

test('availability is the share of the hours with a reading, and names silent devices', async () => {
  const found = await get('availability')
  const b2 = found.datalist.find(({ name }) => name === '二号楼')
  // Every second hour of 265: the wave starts anew at no day, so half of them within one hour.
  expect(b2).toMatchObject({
    now: {
      devices: 5,
      measured: 5,
      figures: { valveShare: 1, roomShare: expect.closeTo(0.75, 2), meterShare: 1, silentDevices: 0 },
    },
  })
  const b10 = found.datalist.find(({ name }) => name === '十号楼')
  expect(b10).toMatchObject({ now: { figures: { silentDevices: 2, roomShare: 0, valveShare: 1 } } })
})

test('comfort counts days of rooms below the limit, and how far below', async () => {
  const found = await get('comfort')
  expect(found.datalist.find(({ name }) => name === '二号楼')).toMatchObject({
    now: {
      measured: 2,
      devices: 2,
      figures: { coldShare: 0.5, coldRooms: 1, hotShare: 0, meanRoomC: 19, coldDegreeHours: (24 * DAYS) / 2 },
    },
  })
})

test('pumps have the electricity of their mean power, over the heated area of the station', async () => {
  const found = await get('pumps', { level: 'station' })
  expect(found.datalist).toMatchObject([
    {
      now: {
        measured: 1,
        devices: 1,
        figures: {
          pumpKw: expect.closeTo(3.6, 6),
          pumpKwh: expect.closeTo(3.6 * 24 * DAYS, 6),
          pumpMonthKwhM2: expect.closeTo((3.6 * 730) / 360, 6),
        },
      },
    },
  ])
})

test('a valve moves by at least the difference of the extremes of each day', async () => {
  const found = await get('moves')
  expect(found.datalist.find(({ name }) => name === '二号楼')).toMatchObject({
    now: { figures: { strokesPerMonth: expect.closeTo((0.2 * 30) / 2, 6), movedDayShare: 0.5 } },
  })
})

test.each(reportNames)('the course of %s has the figures of a report of each week', async (report) => {
  const input = { report, ...range, step: 'week' }
  const { data } = await server.call(getReportCourse, input, analyst['ht-api'])
  const { points } = getReportCourse.output.parse(data)
  expect(points.map(({ from, to }) => ({ from, to }))).toEqual([
    { from: '2026-10-21', to: '2026-10-25' },
    { from: '2026-10-26', to: '2026-10-31' },
  ])
  for (const { from, to, value, measured, devices } of points) {
    const { whole } = await get(report, { period: 'range', from, to })
    expect({ measured, devices }).toEqual({ measured: whole.now.measured, devices: whole.now.devices })
    expect(value).toBeCloseTo(whole.now.figures[mainFigure(report)] ?? Number.NaN, 6)
  }
})

test('a node outside the grants is refused, and its devices are in no sum', async () => {
  const foreign = await server.call(
    getReport,
    { report: 'balance', nodes: [await server.nodeKey('s2')], level: 'building', ...range },
    analyst['ht-api'],
  )
  expect(foreign).toMatchObject({ code: 'node.not-found' })
  expect(await get('balance', { level: 'company' })).toMatchObject({
    total: 0,
    whole: { now: { devices: 4 } },
  })
})

test('a pump house for irrigation and a watering valve are in no report about heating', async () => {
  const [station, valve] = [await server.deviceId('S-s1'), await server.deviceId('V-b10u1')]
  const countOf = async (report: string) => (await get(report)).whole.now.devices
  expect([await countOf('moves'), await countOf('balance')]).toEqual([4, 4])
  const source = await sql<{ id: number }>`
    insert into irrigation_source (node_id, settings, planned_ms)
    select node_id, '{"name":"泵房"}', 0 from device where id = ${station} returning id`.execute(server.db)
  const sourceId = source.rows[0]?.id ?? 0
  await sql`
    insert into irrigation_group (source_id, settings) values (${sourceId}, ${JSON.stringify({
      name: '花圃',
      valves: [{ deviceId: valve }],
    })})`.execute(server.db)
  expect([await countOf('moves'), await countOf('balance')]).toEqual([3, 3])
  await sql`
    update irrigation_source set settings = settings || ${JSON.stringify({ stationId: station })}::jsonb
    where id = ${sourceId}`.execute(server.db)
  expect([await countOf('pumps'), await countOf('balance')]).toEqual([0, 0])
})
