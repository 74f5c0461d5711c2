import { toUrlPath } from '@isotherm/contract/endpoint'
import { exportHeatBills, getMeterCourse, getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTimeZone } from '../../platform/time-zone.ts'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { createRegistry, importAndWait } from '../../testing/core.testkit.ts'
import { startTestServer, type Tokens } from '../../testing/server.testkit.ts'

/** The clocks go back here on 2026-10-25, a day of 25 hours. */
const ZONE = 'Europe/Berlin'
const { toInstant } = createTimeZone(ZONE)
const dayStart = (date: string): number => toInstant(Date.parse(`${date}T00:00:00Z`))

let server: Awaited<ReturnType<typeof startTestServer>>
let desk: Tokens
let seq = 0

type Series = (hour: number) => number | undefined

/** Hourly readings of a device from the start of a local day. */
async function insert(
  serial: string,
  metric: 'heat.energy' | 'meter.hours' | 'temp.outdoor',
  from: string,
  to: string,
  value: Series,
) {
  seq += 1
  const device = await server.deviceId(serial)
  const [start, end] = [dayStart(from), dayStart(to) + DAY_MS]
  const rows: object[] = []
  for (let ts = start; ts < end; ts += HOUR_MS) {
    const read = value((ts - start) / HOUR_MS)
    if (read === undefined) continue
    rows.push({
      device,
      metric: metrics[metric].id,
      value: read,
      ts: new Date(ts).toISOString(),
      received: new Date(ts + 60_000).toISOString(),
      quality: 0,
      node: 1,
      boot: 1,
      seq,
      months: 1,
      live: 1,
    })
  }
  await server.clickhouse.insert({ table: 'readings', values: rows, format: 'JSONEachRow' })
}

const range = { from: '2026-10-21', to: '2026-10-31' }

beforeAll(async () => {
  server = await startTestServer({ settings: { ISOTHERM_TIME_ZONE: ZONE } })
  const registry = createRegistry()
  const meter = (serial: string, node: string) => ({
    serial,
    kind: 'heat-meter' as const,
    name: serial,
    model: 'T1',
    node,
    concentrator: null,
    periodS: 3_600,
  })
  const places = [
    meter('H-b2', 'b2'),
    meter('H-b2u1', 'b2u1h'),
    meter('H-b2u2', 'b2u2h'),
    meter('H-b10u1', 'b10u1h'),
    meter('H-b3u1', 'b3u1h'),
  ]
  await importAndWait(server, { ...registry, devices: [...registry.devices, ...places] })
  await server.createAccount('desk', ['pc-caldata'], ['s1'])
  desk = await server.logIn('desk')
  const [from, to] = ['2026-10-15', '2026-11-05']
  // 2 kWh an hour through the change of the clocks; the building's meter counts 5.
  await insert('H-b2', 'heat.energy', from, to, (hour) => 1_000 + 5 * hour)
  // Rolls over at 1,000,000 kWh on 2026-10-25.
  await insert('H-b2u1', 'heat.energy', from, to, (hour) => (999_500 + 2 * hour) % 1_000_000)
  await insert('H-b2u1', 'meter.hours', from, to, (hour) => 9_000 + hour)
  // Silent from 2026-10-24 to 2026-10-27, and replaced on 2026-10-29.
  const replacedAt = (dayStart('2026-10-29') - dayStart(from)) / HOUR_MS + 10
  await insert('H-b2u2', 'heat.energy', from, to, (hour) => {
    const at = dayStart(from) + hour * HOUR_MS
    if (at >= dayStart('2026-10-24') && at < dayStart('2026-10-28')) return undefined
    return hour < replacedAt ? 40_000 + 2 * hour : 2 * (hour - replacedAt)
  })
  await insert('H-b2u2', 'meter.hours', from, to, (hour) =>
    hour < replacedAt ? 20_000 + hour : hour - replacedAt,
  )
  // Filled in afterwards: the later half came first.
  await insert('H-b10u1', 'heat.energy', '2026-10-27', to, (hour) => 3 * (hour + 12 * 24 + 1))
  await insert('H-b10u1', 'heat.energy', from, '2026-10-26', (hour) => 3 * hour)
  await insert('H-b3u1', 'heat.energy', from, to, (hour) => hour)
  await insert('C-b2', 'temp.outdoor', from, to, () => 8)
  await buildAllRollups(server, ZONE)
}, 60_000)
afterAll(() => server.stop())

const getRows = async (level: string, other: object = {}) =>
  (await server.call(getMeterRows, { level, ...range, ...other }, desk['ht-api'])).data

const getCourse = async (serial: string, level: string, other: object = {}) => {
  const deviceId = await server.deviceId(serial)
  return (await server.call(getMeterCourse, { deviceId, level, ...range, ...other }, desk['ht-api'])).data
}

/** Hours of the range: eleven days, one of them with 25 hours. */
const HOURS = 11 * 24 + 1

test('consumption follows the registers through rollover, gap, replacement and a day of 25 hours', async () => {
  const own = (heatKwh: number, other: object) =>
    expect.objectContaining({ counted: expect.objectContaining({ heatKwh, ...other }) })
  await expect
    .poll(() => getRows('household'))
    .toMatchObject({
      total: 4,
      days: 11,
      weatherDays: 11,
      degreeDays: 110,
      datalist: expect.arrayContaining([
        expect.objectContaining({
          name: '101',
          areaM2: 90,
          meter: own(2 * HOURS, { estimatedKwh: 0, missingDays: 0 }),
        }),
        // Between the last reading of the old meter and the first of the new one lies an hour, which nobody measured.
        expect.objectContaining({
          meter: own(2 * (HOURS - 1), {
            estimatedKwh: 2 * (4 * 24 + 1 + 1),
            missingDays: 4,
            uncountedDays: 0,
          }),
        }),
      ]),
    })
}, 60_000)

test('a local day of 25 hours has the heat of 25 hours, whatever the zone of the viewer', async () => {
  const course = await getCourse('H-b2u1', 'day')
  expect(course).toMatchObject({
    buckets: expect.arrayContaining([
      expect.objectContaining({ start: '2026-10-24', heatKwh: 48, degreeDays: 10 }),
      expect.objectContaining({ start: '2026-10-25', heatKwh: 50 }),
      expect.objectContaining({ start: '2026-10-26', heatKwh: 48 }),
    ]),
    segments: [{ begins: 'first' }, { begins: 'rollover', from: '2026-10-25' }],
  })
})

test('days without readings have equal shares of the difference, marked and bounded', async () => {
  const course = await getCourse('H-b2u2', 'day')
  expect(course).toMatchObject({
    buckets: expect.arrayContaining([
      expect.objectContaining({ start: '2026-10-25', missingDays: 1, lowKwh: 0, highKwh: 196, heatKwh: 49 }),
    ]),
    segments: [{ begins: 'first' }, { begins: 'meter-change', from: '2026-10-29', firstKwh: 0 }],
  })
  expect(await getCourse('H-b2u2', 'month')).toMatchObject({ buckets: [{ start: '2026-10-01', days: 11 }] })
})

test('a building is compared with the meters of its households, if all of them contribute', async () => {
  const datalist = expect.arrayContaining([
    expect.objectContaining({
      name: '二号楼',
      areaM2: 180,
      below: expect.objectContaining({ meters: 2, contributing: 2, complete: 1, heatKwh: 4 * HOURS - 2 }),
      lostKwh: HOURS + 2,
    }),
    expect.not.objectContaining({ lostKwh: expect.anything() }),
  ])
  expect(await getRows('building')).toMatchObject({ total: 2, datalist })
  // The building's meter, and that of a household in the building without one.
  expect(await getRows('station')).toMatchObject({
    total: 1,
    datalist: [{ below: { meters: 2, contributing: 2, heatKwh: 8 * HOURS } }],
  })
})

test('readings that came in the wrong order are counted in the order of their instants', async () => {
  expect(
    await getRows('household', { sort: 'heat', descending: true, limiter: { page: 1, size: 1 } }),
  ).toMatchObject({ datalist: [{ meter: { serial: 'H-b10u1', counted: { heatKwh: 3 * HOURS } } }] })
})

test('bills are rows of a two-part tariff with marks, in the language of the call', async () => {
  const response = await fetch(`${server.base}${toUrlPath(exportHeatBills)}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': 'en',
      Authorization: `Bearer ${desk['ht-api']}`,
    },
    body: JSON.stringify({
      ...range,
      nodes: [await server.nodeKey('b2')],
      yuanPerM2: 8,
      yuanPerKwh: 0.2,
      unit: 'GJ',
      format: 'csv',
    }),
  })
  const [headings, first, second, ...others] = (await response.text()).trim().split('\r\n')
  expect(headings).toContain('Heat (GJ)')
  // 530 kWh are 1.908 GJ; 90 m² at 8 yuan and 530 kWh at 0.2 yuan.
  expect(first).toContain(',90,720,1.908,0,1.908,1.908,0,55.555556,106,826,')
  expect(second).toContain('contains estimated values; meter changed')
  expect(others).toEqual([])
})

test('a range that ends before it starts, or is too long, is refused', async () => {
  const codeOf = async (other: object) =>
    (await server.call(getMeterRows, { level: 'household', ...range, ...other }, desk['ht-api'])).code
  expect(await codeOf({ to: '2026-10-01' })).toBe('request.malformed')
  expect(await codeOf({ from: '2020-10-01' })).toBe('history.range-too-large')
})
