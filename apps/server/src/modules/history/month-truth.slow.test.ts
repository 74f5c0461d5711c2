import { toUrlPath } from '@isotherm/contract/endpoint'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { getHeatSaving } from '@isotherm/contract/endpoints/control/savings'
import { sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { exportHeatBills, getMeterCourse, getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { getRoomCompliance, setRoomRules } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getReport } from '@isotherm/contract/endpoints/monitoring/statistics'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildAllRollups } from '../../testing/build-rollups.testkit.ts'
import { createRegistry, importAndWait } from '../../testing/core.testkit.ts'
import {
  degreeHoursOf,
  device,
  heatOf,
  METER_ERROR,
  meanOf,
  ROOM_ERROR_K,
  refundOf,
  shift,
} from '../../testing/month-plant.testkit.ts'
import { baseline, createMonth, type Entry, month } from '../../testing/month-readings.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

/** The machine and its viewer are in New York, where the clocks change on 2026-11-01. */
const VIEWER_ZONE = 'America/New_York'
const AREA_M2 = 90
const FEE = 24
const UNITS = ['b2u1', 'b2u2', 'b10u1', 'b10u2'] as const

/** Days are those of the company: in Berlin one of them has 25 hours, 2026-10-25, and it is filled in last. */
describe.each([
  { zone: 'Asia/Shanghai', late: ['2026-10-30', '2026-11-04'], hours: 24 * 31 },
  { zone: 'Europe/Berlin', late: ['2026-10-25', '2026-10-30'], hours: 24 * 31 + 1 },
] as const)('a month in $zone', ({ zone, late, hours: monthHours }) => {
  const made = createMonth(zone, late)
  const { plant, dates, dayStart, dayEnd, start: START, end: END, replacedAt: REPLACED_AT } = made
  const DAYS = dates.length
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
    server = await startTestServer({
      settings: { ISOTHERM_HEATING_SEASON: '09-01/04-15', ISOTHERM_TIME_ZONE: zone },
    })
    const registry = createRegistry()
    await importAndWait(server, {
      ...registry,
      company: { ...registry.company, timeZone: zone },
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
    const entries = made.listEntries()
    await send(entries.filter((entry) => !made.isLate(entry)).toSorted((a, b) => a.ts - b.ts))
    // The rollups have closed the month when the late days arrive.
    expect(await roll()).toBe(made.hours - made.lateHours)
    await send(entries.filter(made.isLate).toSorted((a, b) => b.ts - a.ts))
    expect(await roll()).toBe(made.hours)
  }, 240_000)
  afterAll(async () => {
    await server.stop()
    vi.unstubAllEnvs()
  })

  const readCompliance = async () =>
    getRoomCompliance.output.parse((await call(getRoomCompliance, month)).data)

  /** A pass of the rollups, as the server makes them each minute, and the hours of rooms that it then has in the month. */
  async function roll(): Promise<number> {
    await buildAllRollups(server, zone)
    return (await readCompliance()).sums.hours
  }

  test('the clocks of the machine change within the month, and a day of the company may have another length', () => {
    const offsets = [START, END].map((at) => new Date(at).getTimezoneOffset())
    expect(offsets).toEqual([240, 300])
    expect((END - START) / HOUR_MS).toBe(monthHours)
  })

  describe('rooms', () => {
    /** True hourly means of the measured hours of a room, by day. */
    function listDays(unit: string): readonly (readonly number[])[] {
      const home = plant.homes.find((each) => each.unit === unit)
      return dates.map((date) => {
        const day = dayStart(date)
        return Array.from({ length: (dayEnd(date) - day) / HOUR_MS }, (_, hour) => day + hour * HOUR_MS)
          .filter((at) => made.isMeasured(unit, at))
          .map((at) => meanOf(home?.roomC ?? (() => Number.NaN), at, at + HOUR_MS))
      })
    }

    test.each(UNITS)(
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
      const { data } = await call(getReport, {
        report: 'comfort',
        level: 'company',
        period: 'range',
        ...month,
      })
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
        expect(Math.abs((row?.meter?.counted?.heatKwh ?? 0) - truth)).toBeLessThan(
          toleranceOf(truth, PEAK_KW),
        )
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
        const truth = heatOf(homeOf('b2u1'), dayStart(start), dayEnd(start))
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
        const truth = heatOf(homeOf('b10u1'), dayStart(start), dayEnd(start))
        expect(lowKwh).toBeLessThanOrEqual(truth)
        expect(highKwh).toBeGreaterThanOrEqual(truth)
      }
    })

    test('bills have the true heat at its price, within the error of the meter, and say what is estimated', async () => {
      const input = { ...month, yuanPerM2: 8, yuanPerKwh: 0.2, unit: 'kWh', format: 'csv' }
      const response = await fetch(`${server.base}${toUrlPath(exportHeatBills)}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Accept-Language': 'zh',
          Authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(input),
      })
      const lines = (await response.text()).trim().split('\r\n')
      const bills = new Map(
        lines.slice(1).map((line) => {
          // The address in front has commas of its own.
          const [serial = '', from, to, , ...cells] = line.split(',').slice(-14)
          return [serial, { dates: { from, to }, cells }] as const
        }),
      )
      for (const unit of UNITS) {
        const bill = bills.get(`H-${unit}`)
        const [fixed, kwh = Number.NaN, estimated, low = 0, high = 0, missing, price, heat = 0, total] =
          bill?.cells.map(Number) ?? []
        const truth = heatOf(homeOf(unit), START, END)
        const tolerance = toleranceOf(truth, PEAK_KW)
        const unseen =
          unit === 'b2u2' ? heatOf(homeOf(unit), REPLACED_AT - HOUR_MS, REPLACED_AT + HOUR_MS) : 0
        expect(bill?.dates, unit).toEqual(month)
        expect([fixed, price, missing], unit).toEqual([8 * AREA_M2, 0.2, unit === 'b10u1' ? 3 : 0])
        expect(kwh - truth, unit).toBeLessThan(tolerance)
        expect(truth - kwh, unit).toBeLessThan(tolerance + unseen)
        expect(Math.abs(heat - 0.2 * kwh), unit).toBeLessThan(0.0051)
        expect(total, unit).toBeCloseTo(8 * AREA_M2 + heat, 6)
        expect(low - tolerance, unit).toBeLessThan(truth)
        expect(high + tolerance + unseen, unit).toBeGreaterThan(truth)
        const isSilent = unit === 'b10u1'
        const gap = heatOf(homeOf(unit), dayStart('2026-10-22'), dayStart('2026-10-25'))
        if (isSilent) expect(Math.abs((estimated ?? 0) - gap)).toBeLessThan(toleranceOf(gap, PEAK_KW))
        const remarks = (bill?.cells.at(-1) ?? '').split('；').filter((remark) => remark !== '')
        expect(remarks.includes('含估算值'), unit).toBe((estimated ?? 0) > 0)
        expect(remarks.includes('期间换表、翻转或表底异常'), unit).toBe(unit.startsWith('b2'))
        if (unit === 'b10u2') expect(remarks).toEqual([])
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
      const trueDegreeDays = dates
        .map((date) => Math.max(0, 18 - meanOf(plant.outdoorC, dayStart(date), dayEnd(date))))
        .reduce((sum, each) => sum + each, 0)
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
})
