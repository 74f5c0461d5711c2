import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { getHeatSaving } from '@isotherm/contract/endpoints/control/savings'
import { sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { getMeterCourse, getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { getRoomCompliance, setRoomRules } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getReport } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { MetricName } from '@isotherm/contract/metrics'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTimeZone } from '../../platform/time-zone.ts'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { createRegistry, importAndWait } from '../../testing/core.testkit.ts'
import {
  createMonthPlant,
  createRegister,
  createRoomSensor,
  degreeHoursOf,
  device,
  flowFor,
  heatOf,
  METER_ERROR,
  meanOf,
  ROOM_ERROR_K,
  refundOf,
  shift,
  stationTemperatures,
} from '../../testing/month-plant.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

/** The plant is in China. The machine and its viewer are in New York, where the clocks change on 2026-11-01. */
const VIEWER_ZONE = 'America/New_York'
const ZONE = 'Asia/Shanghai'
const { toInstant } = createTimeZone(ZONE)
const dayStart = (date: string): number => toInstant(Date.parse(`${date}T00:00:00Z`))

const month = { from: '2026-10-15', to: '2026-11-14' }
const START = dayStart(month.from)
const END = dayStart(month.to) + DAY_MS
const DAYS = (END - START) / DAY_MS
const baseline = { from: '2026-09-05', to: '2026-10-13' }
/** Readings begin before the month and end after it, so that its first and last day are whole. */
const FIRST = dayStart(baseline.from) - DAY_MS
const LAST = END + DAY_MS
const plant = createMonthPlant(FIRST, dayStart('2026-10-14'))
const AREA_M2 = 90
const FEE = 24

/** Meters report every hour, at a minute of their own. */
const MINUTE = 7 * MINUTE_MS
const REPLACED_AT = dayStart('2026-11-02') + 10 * HOUR_MS
const SILENT = { from: dayStart('2026-10-22'), to: dayStart('2026-10-25') }
/** A sensor that died for two days, and a morning. */
const DEAD = { from: dayStart('2026-11-05'), to: dayStart('2026-11-07') + 9 * HOUR_MS }
/** Filled in last: the days around the change of the clocks of the viewer. */
const LATE = { from: dayStart('2026-10-30'), to: dayStart('2026-11-04') }
const isIn = (at: number, { from, to }: { readonly from: number; readonly to: number }) =>
  at >= from && at < to

interface Entry {
  readonly id: string
  readonly ts: number
  readonly m: Partial<Record<MetricName, number>>
}

function listRoomEntries(): Entry[] {
  return plant.homes.flatMap(({ unit, roomC }, index) => {
    const read = createRoomSensor(roomC, index)
    const entries: Entry[] = []
    for (let ts = START - DAY_MS; ts < LAST; ts += 15 * MINUTE_MS)
      if (unit !== 'b2u1' || !isIn(ts, DEAD))
        entries.push({ id: `R-${unit}`, ts, m: { 'temp.room': read(ts) } })
    return entries
  })
}

/** Registers of the homes: one rolls over, one is replaced, one is silent for three days. */
function listMeterEntries(): Entry[] {
  const from = START - DAY_MS
  const powers: Readonly<Record<string, readonly [(at: number) => number, number]>> = {
    ...Object.fromEntries(
      plant.homes.map(({ unit, powerKw }) => [`H-${unit}`, [powerKw, unit === 'b2u1' ? 999_400 : 40_000]]),
    ),
    'H-b2': [(at) => plant.buildingKw('b2', at), 200_000],
    'H-b10': [(at) => plant.buildingKw('b10', at), 300_000],
    'H-s1': [plant.stationKw, 400_000],
  }
  return Object.entries(powers).flatMap(([id, [powerKw, startKwh]], index) => {
    const first = createRegister(powerKw, from, startKwh, index)
    const second = createRegister(powerKw, REPLACED_AT, 0, index + 50)
    const entries: Entry[] = []
    for (let ts = from + MINUTE; ts < LAST; ts += HOUR_MS) {
      if (id === 'H-b10u1' && isIn(ts, SILENT)) continue
      const isSecond = id === 'H-b2u2' && ts >= REPLACED_AT
      const hours = isSecond ? (ts - REPLACED_AT) / HOUR_MS : 20_000 + (ts - from) / HOUR_MS
      const kwh = isSecond ? second(ts) : first(ts) % 1_000_000
      entries.push({ id, ts, m: { 'heat.energy': kwh, 'meter.hours': Math.floor(hours) } })
    }
    return entries
  })
}

/** Controllers report four times an hour; that of the second station has a flow meter. */
function listStationEntries(): Entry[] {
  const entries: Entry[] = []
  for (let ts = FIRST; ts < LAST; ts += 15 * MINUTE_MS) {
    const outdoor = Math.round(10 * plant.outdoorC(ts)) / 10
    const flow = flowFor(plant.savingKw(ts))
    entries.push({ id: 'K-s1', ts, m: { 'temp.outdoor': outdoor } })
    entries.push({
      id: 'K-s2',
      ts,
      m: { 'temp.outdoor': outdoor, 'heat.flow': flow, ...stationTemperatures },
    })
  }
  return entries
}

let server: TestServer
let key: string
let token: string
let seq = 0

const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input, token)

/** Sends entries through the door of the devices, as history. */
async function send(entries: readonly Entry[]): Promise<void> {
  const ENTRIES = 100
  const MESSAGES = 60
  for (let at = 0; at < entries.length; at += ENTRIES * MESSAGES) {
    const messages = []
    for (let from = at; from < Math.min(at + ENTRIES * MESSAGES, entries.length); from += ENTRIES) {
      const d = entries.slice(from, Math.min(from + ENTRIES, at + ENTRIES * MESSAGES))
      messages.push({ v: 1, boot: 1, seq, ts: Date.now(), d })
      seq += 1
    }
    const { data, text } = await server.call(
      sendReadings,
      { imei: 'C-all', channel: 'history', messages },
      key,
    )
    const { datalist } = sendReadings.output.parse(data)
    const isGood = datalist.every(({ outcome, faults }) => outcome === 'stored' && faults.length === 0)
    if (!isGood) throw new Error(text.slice(0, 500))
  }
}

beforeAll(async () => {
  vi.stubEnv('TZ', VIEWER_ZONE)
  server = await startTestServer({ settings: { ISOTHERM_HEATING_SEASON: '09-01/04-15' } })
  const registry = createRegistry()
  await importAndWait(server, {
    ...registry,
    devices: [
      ...registry.devices.map((each) =>
        each.kind === 'room-sensor' ? { ...each, concentrator: 'C-all' } : each,
      ),
      device('C-all', 'concentrator', 'c'),
      device('K-s1', 'station', 's1'),
      device('K-s2', 'station', 's2'),
      device('H-s1', 'heat-meter', 's1'),
      device('H-b2', 'heat-meter', 'b2'),
      device('H-b10', 'heat-meter', 'b10'),
      ...plant.homes.map(({ unit }) => device(`H-${unit}`, 'heat-meter', `${unit}h`)),
    ],
  })
  await server.createAccount(
    'analyst',
    [
      'pc-caldata',
      'pr-rtalarm',
      'pd-rtcaldevmanager',
      'ps-statsys',
      'pe-enmonitor',
      'ps-interfacesys',
      'pd-datadevmanager',
    ],
    ['p'],
  )
  token = (await server.logIn('analyst'))['ht-api']
  const added = await call(addApiKey, {
    name: 'gateway',
    permissions: [SEND_READINGS],
    expiresAt: Date.now() + DAY_MS,
    callsPerMinute: 6_000,
  })
  key = addApiKey.output.parse(added.data).key
  const rules = { ...defaultRoomRules, yuanPerM2: FEE }
  await call(setRoomRules, { node: await server.nodeKey('c'), rules, version: 0 })
  const entries = [...listStationEntries(), ...listMeterEntries(), ...listRoomEntries()]
  await send(entries.filter(({ ts }) => !isIn(ts, LATE)).toSorted((a, b) => a.ts - b.ts))
  // The rollups have closed the month when the late days arrive.
  expect(await roll()).toBe(measuredHours() - 4 * 24 * 5)
  await send(entries.filter(({ ts }) => isIn(ts, LATE)).toSorted((a, b) => b.ts - a.ts))
  expect(await roll()).toBe(measuredHours())
}, 240_000)
afterAll(async () => {
  await server.stop()
  vi.unstubAllEnvs()
})

const measuredHours = () => 4 * 24 * DAYS - (DEAD.to - DEAD.from) / HOUR_MS
const readCompliance = async () => getRoomCompliance.output.parse((await call(getRoomCompliance, month)).data)

/** A pass of the rollups, as the server makes them each minute, and the hours of rooms that it then has in the month. */
async function roll(): Promise<number> {
  await buildAllRollups(server, ZONE)
  return (await readCompliance()).sums.hours
}

test('the clocks of the machine change within the month', () => {
  const offsets = [START, END].map((at) => new Date(at).getTimezoneOffset())
  expect(offsets).toEqual([240, 300])
})

describe('rooms', () => {
  /** True hourly means of the measured hours of a room, by day. */
  function listDays(unit: string): readonly (readonly number[])[] {
    const home = plant.homes.find((each) => each.unit === unit)
    return Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: 24 }, (_, hour) => START + day * DAY_MS + hour * HOUR_MS)
        .filter((at) => unit !== 'b2u1' || !isIn(at, DEAD))
        .map((at) => meanOf(home?.roomC ?? (() => Number.NaN), at, at + HOUR_MS)),
    )
  }

  test.each(plant.homes.map(({ unit }) => unit))(
    'hours below the limit, degree-hours and refund of %s are within the error of the sensor',
    async (unit) => {
      const { datalist } = await readCompliance()
      const found = datalist.find(({ device: { imei } }) => imei === `R-${unit}`)
      const days = listDays(unit)
      const hours = days.flat()
      const [warm, cold] = [shift(hours, ROOM_ERROR_K), shift(hours, -ROOM_ERROR_K)]
      const isCold = (c: number) => c < 18
      expect(found?.hours).toBe(hours.length)
      expect(found?.days).toBe(days.filter((each) => each.length >= 12).length)
      expect(found?.coldHours).toBeGreaterThanOrEqual(warm.filter(isCold).length)
      expect(found?.coldHours).toBeLessThanOrEqual(cold.filter(isCold).length)
      expect(found?.degreeHours).toBeGreaterThanOrEqual(degreeHoursOf(warm))
      expect(found?.degreeHours).toBeLessThanOrEqual(degreeHoursOf(cold))
      expect(found?.refundDays).toBeGreaterThanOrEqual(refundOf(days, ROOM_ERROR_K))
      expect(found?.refundDays).toBeLessThanOrEqual(refundOf(days, -ROOM_ERROR_K))
    },
  )

  test('the bounds of the rooms are no empty promise: some are always cold, one never, and refunds differ', async () => {
    const { datalist, sums } = await readCompliance()
    const refunds = plant.homes.map(
      ({ unit }) => datalist.find(({ device: { imei } }) => imei === `R-${unit}`)?.refundDays ?? 0,
    )
    expect(refunds[0]).toBe(0)
    expect(refunds[2]).toBeGreaterThan(0.2 * DAYS)
    expect(new Set(refunds).size).toBe(4)
    // 24 yuan per m² of a season of 227 days.
    const yuan = (refunds.reduce((sum, days) => sum + days, 0) * FEE * AREA_M2) / 227
    expect(sums.refundYuan).toBeGreaterThan(0.99 * yuan)
    expect(sums.refundYuan).toBeLessThan(1.01 * yuan)
  })

  test('the report on comfort has the degree-hours of the daily means, per room', async () => {
    const { data } = await call(getReport, { report: 'comfort', level: 'company', period: 'range', ...month })
    const { whole } = getReport.output.parse(data)
    const perRoom = (byK: number): number =>
      plant.homes
        .flatMap(({ unit }) => listDays(unit))
        .filter((hours) => hours.length > 0)
        .map((hours) => hours.reduce((sum, c) => sum + c, 0) / hours.length + byK)
        .reduce((sum, c) => sum + 24 * Math.max(0, 18 - c), 0) / plant.homes.length
    expect(whole.now.figures.coldDegreeHours).toBeGreaterThan(perRoom(ROOM_ERROR_K))
    expect(whole.now.figures.coldDegreeHours).toBeLessThan(perRoom(-ROOM_ERROR_K))
  })
})

describe('heat', () => {
  const readRows = async (level: 'household' | 'building' | 'station') =>
    getMeterRows.output.parse((await call(getMeterRows, { level, ...month })).data)
  /** Error of a meter over a heat, with a step of the register at both ends and the minutes until its first report of a day. */
  const toleranceOf = (kwh: number, kw: number) => METER_ERROR * kwh + 2 + kw * 0.25
  const homeOf = (unit: string) =>
    plant.homes.find((each) => each.unit === unit)?.powerKw ?? (() => Number.NaN)
  const PEAK_KW = 4

  test.each(['b2u1', 'b10u1', 'b10u2'])(
    'consumption of %s is within the error of its meter',
    async (unit) => {
      const { datalist } = await readRows('household')
      const row = datalist.find(({ meter }) => meter?.serial === `H-${unit}`)
      const truth = heatOf(homeOf(unit), START, END)
      expect(Math.abs((row?.meter?.counted?.heatKwh ?? 0) - truth)).toBeLessThan(toleranceOf(truth, PEAK_KW))
      expect(row?.meter?.counted?.missingDays).toBe(unit === 'b10u1' ? 3 : 0)
    },
  )

  test('a replaced meter misses at most the time between its last report and the first of the new one', async () => {
    const { datalist } = await readRows('household')
    const counted = datalist.find(({ meter }) => meter?.serial === 'H-b2u2')?.meter?.counted
    const truth = heatOf(homeOf('b2u2'), START, END)
    const unseen = heatOf(homeOf('b2u2'), REPLACED_AT - HOUR_MS, REPLACED_AT + HOUR_MS)
    expect(counted?.heatKwh).toBeLessThan(truth + toleranceOf(truth, PEAK_KW))
    expect(counted?.heatKwh).toBeGreaterThan(truth - unseen - toleranceOf(truth, PEAK_KW))
  })

  test('each local day has its heat, also those of the rollover and around the change of the clocks of the viewer', async () => {
    const deviceId = await server.deviceId('H-b2u1')
    const { buckets, segments } = getMeterCourse.output.parse(
      (await call(getMeterCourse, { deviceId, level: 'day', ...month })).data,
    )
    expect(buckets).toHaveLength(DAYS)
    expect(segments.map(({ begins }) => begins)).toEqual(['first', 'rollover'])
    for (const { start, heatKwh } of buckets) {
      const truth = heatOf(homeOf('b2u1'), dayStart(start), dayStart(start) + DAY_MS)
      expect(Math.abs(heatKwh - truth), start).toBeLessThan(toleranceOf(truth, PEAK_KW))
    }
  })

  test('the days of a silent meter are marked, and their true heat is within the bounds', async () => {
    const deviceId = await server.deviceId('H-b10u1')
    const { buckets } = getMeterCourse.output.parse(
      (await call(getMeterCourse, { deviceId, level: 'day', ...month })).data,
    )
    const silent = buckets.filter(({ missingDays }) => missingDays > 0)
    expect(silent.map(({ start }) => start)).toEqual(['2026-10-22', '2026-10-23', '2026-10-24'])
    for (const { start, lowKwh, highKwh } of silent) {
      const truth = heatOf(homeOf('b10u1'), dayStart(start), dayStart(start) + DAY_MS)
      expect(lowKwh).toBeLessThanOrEqual(truth)
      expect(highKwh).toBeGreaterThanOrEqual(truth)
    }
  })

  test('losses between the meters of a level are within the errors of all meters that take part', async () => {
    const lostOf = (upper: number, lower: number) => ({
      lost: upper - lower,
      tolerance: toleranceOf(upper, 20) + toleranceOf(lower, 20) + 4,
    })
    const b10 = (await readRows('building')).datalist.find(({ meter }) => meter?.serial === 'H-b10')
    const ofBuilding = lostOf(
      heatOf((at) => plant.buildingKw('b10', at), START, END),
      plant.ofBuilding('b10').reduce((sum, { powerKw }) => sum + heatOf(powerKw, START, END), 0),
    )
    expect(Math.abs((b10?.lostKwh ?? 0) - ofBuilding.lost)).toBeLessThan(ofBuilding.tolerance)
    const s1 = (await readRows('station')).datalist.find(({ meter }) => meter?.serial === 'H-s1')
    const ofStation = lostOf(
      heatOf(plant.stationKw, START, END),
      ['b2', 'b10'].reduce((sum, each) => sum + heatOf((at) => plant.buildingKw(each, at), START, END), 0),
    )
    expect(Math.abs((s1?.lostKwh ?? 0) - ofStation.lost)).toBeLessThan(ofStation.tolerance)
    // The errors are smaller than what they are about.
    expect(ofStation.tolerance).toBeLessThan(0.6 * ofStation.lost)
  })

  test('the report has the heat per area and degree-day of the true weather', async () => {
    const { data } = await call(getReport, { report: 'heat', level: 'station', period: 'range', ...month })
    const { datalist, degreeDays } = getReport.output.parse(data)
    const trueDegreeDays = Array.from({ length: DAYS }, (_, day) =>
      Math.max(0, 18 - meanOf(plant.outdoorC, START + day * DAY_MS, START + (day + 1) * DAY_MS)),
    ).reduce((sum, each) => sum + each, 0)
    expect(Math.abs((degreeDays ?? 0) - trueDegreeDays)).toBeLessThan(0.1 * DAYS)
    const truth = heatOf(plant.stationKw, START, END)
    const figures = datalist.find(({ name }) => name === '一号站')?.now.figures
    expect(Math.abs((figures?.heatKwh ?? 0) - truth)).toBeLessThan(toleranceOf(truth, 20))
    const perM2Kd = (1_000 * truth) / (4 * AREA_M2) / trueDegreeDays
    expect(figures?.whPerM2Kd).toBeGreaterThan(0.98 * perM2Kd)
    expect(figures?.whPerM2Kd).toBeLessThan(1.02 * perM2Kd)
  })

  test('the saving of a station has the true one in its interval', async () => {
    const deviceId = await server.deviceId('K-s2')
    const found = await call(getHeatSaving, { deviceId, periods: { baseline, after: month } })
    const { result } = getHeatSaving.output.parse(found.data)
    const taken = heatOf(plant.savingKw, START, END)
    const saved = taken / 9
    if (result.kind !== 'known') throw new Error(result.kind)
    expect(Math.abs(result.measuredKwh - taken)).toBeLessThan(0.005 * taken)
    expect(result.lowKwh).toBeLessThan(saved)
    expect(result.highKwh).toBeGreaterThan(saved)
    expect(Math.abs(result.savedKwh - saved)).toBeLessThan(0.25 * saved)
  })
})
