import type { DayCounts, HeatSource } from '@isotherm/contract/balancing/heat-saving'
import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { celsius } from '@isotherm/kernel/quantities'
import { mean, median } from '@isotherm/kernel/statistics'
import { waterDensity } from '@isotherm/kernel/water-density'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { HourValue, HourValues } from './hours.ch.ts'
import type { CalendarDay } from './saving-periods.ts'
import type { SavingStation } from './station.pg.ts'

/** Metrics that the days of a station need. */
export const savingMetrics = [
  'heat.energy',
  'heat.power',
  'heat.flow',
  'temp.supply',
  'temp.return',
  'temp.outdoor',
  'pump.power',
] as const satisfies readonly MetricName[]

/** What a station measured on a day; NaN if hours are missing. */
export interface StationDay {
  readonly date: string
  readonly outdoorC: number
  readonly pumpKwh: number
  /** By source. */
  readonly heatKwh: Readonly<Record<HeatSource, number>>
}

/** Hours of a day that may be missing. The day then has the mean of the others. */
const MAX_MISSING_HOURS = 2
const JOULES_PER_KWH = 3.6e6

/** Value of an hour from the first of the devices that has one. */
function findAt(hours: HourValues, deviceIds: readonly number[], metric: MetricName) {
  const series = deviceIds.flatMap((deviceId) => hours(deviceId, metric) ?? [])
  return (hourMs: number): HourValue | undefined => {
    for (const values of series) {
      const value = values.get(hourMs)
      if (value) return value
    }
    return undefined
  }
}

/** Sum over the hours of a day, missing ones at the mean of the others; NaN if too many are missing. */
function sumHours({ from, to }: CalendarDay, read: (hourMs: number) => number | undefined): number {
  const count = Math.round((to - from) / HOUR_MS)
  const known: number[] = []
  for (let at = from; at < to; at += HOUR_MS) {
    const value = read(at)
    if (value !== undefined && !Number.isNaN(value)) known.push(value)
  }
  return known.length < count - MAX_MISSING_HOURS ? Number.NaN : count * mean(known)
}

/** Increase of a counter from the last hour of the day before to the last hour of a day. */
function increaseOf(hours: HourValues, deviceIds: readonly number[], { from, to }: CalendarDay): number {
  for (const deviceId of deviceIds) {
    const values = hours(deviceId, 'heat.energy')
    const [before, end] = [values?.get(from - HOUR_MS), values?.get(to - HOUR_MS)]
    if (before && end) return end.last - before.last
  }
  return Number.NaN
}

/** What a station measured on each day. */
export function toStationDays(
  days: readonly CalendarDay[],
  { controllers, meters }: Pick<SavingStation, 'controllers' | 'meters'>,
  hours: HourValues,
): readonly StationDay[] {
  const of = (metric: MetricName) => findAt(hours, controllers, metric)
  const [power, flow, supply] = [of('heat.power'), of('heat.flow'), of('temp.supply')]
  const [back, outdoor, pump] = [of('temp.return'), of('temp.outdoor'), of('pump.power')]
  const flowHeatKw = (hourMs: number): number | undefined => {
    const [flowM3h, supplyC, returnC] = [flow(hourMs)?.mean, supply(hourMs)?.mean, back(hourMs)?.mean]
    if (flowM3h === undefined || supplyC === undefined || returnC === undefined) return undefined
    // Flow meters of stations are in the return.
    const joulesPerK = flowM3h * waterDensity(celsius(returnC)) * WATER_HEAT_CAPACITY
    return (joulesPerK * (supplyC - returnC)) / JOULES_PER_KWH
  }
  return days.map((day) => ({
    date: day.date,
    outdoorC: sumHours(day, (hour) => outdoor(hour)?.mean) / Math.round((day.to - day.from) / HOUR_MS),
    pumpKwh: sumHours(day, (hour) => pump(hour)?.mean),
    heatKwh: {
      meter: increaseOf(hours, meters, day),
      power: sumHours(day, (hour) => power(hour)?.mean),
      flow: sumHours(day, flowHeatKw),
    },
  }))
}

/**
 * Sources, the most trusted first: a counter misses nothing, a controller computes its power from readings of every second, and
 * `flow` is computed from hourly means.
 */
const sources: readonly HeatSource[] = ['meter', 'power', 'flow']
/** Share of the days of the best source that a more trusted one needs. */
const ENOUGH_DAYS = 0.9

/** The source of heat of both periods: a comparison of two sources would show their difference as a saving. */
export function chooseSource(periods: readonly (readonly StationDay[])[]): HeatSource | undefined {
  const daysOf = (source: HeatSource): number =>
    Math.min(...periods.map((days) => days.filter(({ heatKwh }) => Number.isFinite(heatKwh[source])).length))
  const anyOf = (source: HeatSource): number =>
    periods.flat().filter(({ heatKwh }) => Number.isFinite(heatKwh[source])).length
  // A period without any days decides nothing.
  const count = sources.some((source) => daysOf(source) > 0) ? daysOf : anyOf
  const max = Math.max(...sources.map(count))
  return max === 0 ? undefined : sources.find((source) => count(source) >= ENOUGH_DAYS * max)
}

/** Highest plausible heat of a day, as a multiple of the usual heat. The coldest days need about three times the usual. */
const MAX_OVER_USUAL = 5

/** A day that counts. */
export interface UsedDay {
  readonly date: string
  readonly outdoorC: number
  readonly heatKwh: number
}

/** The usual heat of a day, for sorting out implausible ones. */
export const usualHeat = (periods: readonly (readonly StationDay[])[], source: HeatSource): number =>
  median(
    periods
      .flat()
      .map(({ heatKwh }) => heatKwh[source])
      .filter((heat) => heat > 0),
  ) ?? Number.NaN

/** Days of a period that count, and how many do not, by reason. */
export function selectDays(
  days: readonly StationDay[],
  source: HeatSource | undefined,
  usualKwh: number,
  isInSeason: (date: string) => boolean,
): { readonly used: readonly UsedDay[]; readonly counts: DayCounts } {
  const judge = ({ date, outdoorC, heatKwh }: StationDay): keyof DayCounts => {
    if (!isInSeason(date)) return 'offSeason'
    const heat = source === undefined ? Number.NaN : heatKwh[source]
    if (!Number.isFinite(heat)) return 'withoutHeat'
    if (!Number.isFinite(outdoorC)) return 'withoutWeather'
    return heat > 0 && heat <= MAX_OVER_USUAL * usualKwh ? 'used' : 'implausible'
  }
  const groups = Map.groupBy(days, judge)
  const count = (name: keyof DayCounts): number => groups.get(name)?.length ?? 0
  return {
    used: (groups.get('used') ?? []).map(({ date, outdoorC, heatKwh }) => ({
      date,
      outdoorC,
      heatKwh: source === undefined ? Number.NaN : heatKwh[source],
    })),
    counts: {
      used: count('used'),
      withoutHeat: count('withoutHeat'),
      withoutWeather: count('withoutWeather'),
      implausible: count('implausible'),
      offSeason: count('offSeason'),
    },
  }
}
