import type { MetricName } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { createTimeZone } from '../platform/time-zone.ts'
import {
  createMonthPlant,
  createRegister,
  createRoomSensor,
  flowFor,
  stationTemperatures,
} from './month-plant.testkit.ts'

export const month = { from: '2026-10-15', to: '2026-11-14' }
export const baseline = { from: '2026-09-05', to: '2026-10-13' }

/** Meters report every hour, at a minute of their own. */
const MINUTE = 7 * MINUTE_MS

export interface Entry {
  readonly id: string
  readonly ts: number
  readonly m: Partial<Record<MetricName, number>>
}

/** A time from an instant, included, to another, excluded. */
interface Time {
  readonly from: number
  readonly to: number
}

const isIn = (at: number, { from, to }: Time) => at >= from && at < to

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * A month of a made company in a time zone, and what its devices report: with a rollover, a replaced meter, a silent one, a
 * dead sensor, and days that are filled in last. `late`: first and last date of these days, the last one excluded.
 */
export function createMonth(zone: string, late: readonly [string, string]) {
  const { toInstant } = createTimeZone(zone)
  const dayStart = (date: string): number => toInstant(Date.parse(`${date}T00:00:00Z`))
  /** The first instant of the next local day. */
  const dayEnd = (date: string): number => dayStart(toDate(Date.parse(date) + DAY_MS))
  const first = Date.parse(month.from)
  const dates = Array.from({ length: (Date.parse(month.to) - first) / DAY_MS + 1 }, (_, day) =>
    toDate(first + day * DAY_MS),
  )
  const [start, end] = [dayStart(month.from), dayEnd(month.to)]
  // Readings begin before the month and end after it, so that its first and last day are whole.
  const [begin, last] = [dayStart(baseline.from) - DAY_MS, end + DAY_MS]
  const plant = createMonthPlant(begin, dayStart('2026-10-14'))
  const replacedAt = dayStart('2026-11-02') + 10 * HOUR_MS
  const silent = { from: dayStart('2026-10-22'), to: dayStart('2026-10-25') }
  /** A sensor that died for two days, and a morning. */
  const dead = { from: dayStart('2026-11-05'), to: dayStart('2026-11-07') + 9 * HOUR_MS }
  const filledLast = { from: dayStart(late[0]), to: dayStart(late[1]) }
  const isMeasured = (unit: string, at: number): boolean => unit !== 'b2u1' || !isIn(at, dead)

  function listRoomEntries(): Entry[] {
    return plant.homes.flatMap(({ unit, roomC }, index) => {
      const read = createRoomSensor(roomC, index)
      const entries: Entry[] = []
      for (let ts = start - DAY_MS; ts < last; ts += 15 * MINUTE_MS)
        if (isMeasured(unit, ts)) entries.push({ id: `R-${unit}`, ts, m: { 'temp.room': read(ts) } })
      return entries
    })
  }

  /** Registers of the homes: one rolls over, one is replaced, one is silent for three days. */
  function listMeterEntries(): Entry[] {
    const from = start - DAY_MS
    const powers: Readonly<Record<string, readonly [(at: number) => number, number]>> = {
      ...Object.fromEntries(
        plant.homes.map(({ unit, powerKw }) => [`H-${unit}`, [powerKw, unit === 'b2u1' ? 999_400 : 40_000]]),
      ),
      'H-b2': [(at) => plant.buildingKw('b2', at), 200_000],
      'H-b10': [(at) => plant.buildingKw('b10', at), 300_000],
      'H-s1': [plant.stationKw, 400_000],
    }
    return Object.entries(powers).flatMap(([id, [powerKw, startKwh]], index) => {
      const old = createRegister(powerKw, from, startKwh, index)
      const second = createRegister(powerKw, replacedAt, 0, index + 50)
      const entries: Entry[] = []
      for (let ts = from + MINUTE; ts < last; ts += HOUR_MS) {
        if (id === 'H-b10u1' && isIn(ts, silent)) continue
        const isSecond = id === 'H-b2u2' && ts >= replacedAt
        const hours = isSecond ? (ts - replacedAt) / HOUR_MS : 20_000 + (ts - from) / HOUR_MS
        const kwh = isSecond ? second(ts) : old(ts) % 1_000_000
        entries.push({ id, ts, m: { 'heat.energy': kwh, 'meter.hours': Math.floor(hours) } })
      }
      return entries
    })
  }

  /** Controllers report four times an hour; that of the second station has a flow meter. */
  function listStationEntries(): Entry[] {
    const entries: Entry[] = []
    for (let ts = begin; ts < last; ts += 15 * MINUTE_MS) {
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

  return {
    plant,
    dates,
    dayStart,
    dayEnd,
    start,
    end,
    replacedAt,
    /** Whether the room sensor of a home measures at an instant. */
    isMeasured,
    /** Measured hours of all rooms in the month, and those of the days that are filled in last. */
    hours: (4 * (end - start) - (dead.to - dead.from)) / HOUR_MS,
    lateHours: (4 * (filledLast.to - filledLast.from)) / HOUR_MS,
    isLate: ({ ts }: Entry): boolean => isIn(ts, filledLast),
    listEntries: () => [...listStationEntries(), ...listMeterEntries(), ...listRoomEntries()],
  }
}
