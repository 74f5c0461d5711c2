import type { HeatSource } from '@isotherm/contract/balancing/heat-saving'
import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { HourValue, HourValues } from './hours.ch.ts'
import { chooseSource, type StationDay, selectDays, toStationDays, usualHeat } from './station-days.ts'

const FROM = Date.UTC(2026, 0, 1, 16)
const DAY = { date: '2026-01-02', from: FROM, to: FROM + 24 * HOUR_MS }

/** Hours of devices: a value for each hour from the one before the day on; undefined where it is missing. */
const createHours =
  (read: (deviceId: number, metric: MetricName, hour: number) => number | undefined): HourValues =>
  (deviceId, metric) => {
    const hours = Array.from({ length: 25 }, (_, index) => index - 1)
    return new Map(
      hours.flatMap((hour): [number, HourValue][] => {
        const value = read(deviceId, metric, hour)
        return value === undefined ? [] : [[FROM + hour * HOUR_MS, { mean: value, last: value }]]
      }),
    )
  }
const dayOf = (read: Parameters<typeof createHours>[0], station = { controllers: [1], meters: [9] }) =>
  toStationDays([DAY], station, createHours(read))[0]

test('flow times the difference of temperatures is heat: 10 m³/h by 10 K at 40 °C is 115.4 kW', () => {
  const values: Partial<Record<MetricName, number>> = {
    'heat.flow': 10,
    'temp.supply': 50,
    'temp.return': 40,
    'temp.outdoor': -5,
  }
  const day = dayOf((_, metric) => values[metric])
  // 10 m³/h × 992.2 kg/m³ × 4187 J/(kg·K) × 10 K / 3.6 MJ/kWh
  expect(day?.heatKwh.flow).toBeCloseTo(24 * 115.4, 0)
  expect(day?.outdoorC).toBeCloseTo(-5, 9)
  expect(day?.heatKwh.meter).toBeNaN()
  expect(day?.pumpKwh).toBeNaN()
})

test('one or two missing hours have the mean of the others; with three the day is not measured', () => {
  const without = (missing: number) => dayOf((_, __, hour) => (hour < missing ? undefined : 30))
  expect(without(2)?.heatKwh.power).toBeCloseTo(720, 9)
  expect(without(3)?.heatKwh.power).toBeNaN()
  expect(without(3)?.outdoorC).toBeNaN()
})

test('a counter counts from the last hour of the day before to the last hour of the day', () => {
  const counter = (_: number, metric: MetricName, hour: number) =>
    metric === 'heat.energy' ? 1_000 + 50 * (hour + 1) : undefined
  expect(dayOf(counter)?.heatKwh.meter).toBe(1_200)
  // Hours between may be missing.
  expect(
    dayOf((...given) => (given[2] > 0 && given[2] < 20 ? undefined : counter(...given)))?.heatKwh.meter,
  ).toBe(1_200)
  expect(dayOf((...given) => (given[2] < 0 ? undefined : counter(...given)))?.heatKwh.meter).toBeNaN()
  // A new meter begins at another number: no day spans both.
  const replaced = dayOf(
    (deviceId, metric, hour) =>
      (deviceId === 8) === hour < 12 ? counter(deviceId, metric, hour) : undefined,
    { controllers: [1], meters: [8, 9] },
  )
  expect(replaced?.heatKwh.meter).toBeNaN()
})

test('hours of a replaced controller and of its replacement make one day', () => {
  const day = dayOf((deviceId, _, hour) => ((deviceId === 1) === hour < 12 ? 30 : undefined), {
    controllers: [1, 2],
    meters: [],
  })
  expect(day?.heatKwh.power).toBeCloseTo(720, 9)
})

const days = (count: number, heat: Partial<Record<HeatSource, number>>, outdoorC = 0): StationDay[] =>
  Array.from({ length: count }, (_, at) => ({
    date: `2026-01-${String(at + 1).padStart(2, '0')}`,
    outdoorC,
    pumpKwh: 0,
    heatKwh: { meter: Number.NaN, power: Number.NaN, flow: Number.NaN, ...heat },
  }))

test('both periods use one heat source: the most trusted one with at least 90 % of the days of the source with the most days', () => {
  const all = { meter: 1, power: 1, flow: 1 }
  expect(chooseSource([days(30, all), days(20, all)])).toBe('meter')
  const fresh = [...days(16, { power: 1, flow: 1 }), ...days(4, all)]
  // The meter was installed after the first period.
  expect(chooseSource([days(30, { flow: 1, power: 1 }), days(20, all)])).toBe('power')
  expect(chooseSource([days(30, all), fresh])).toBe('power')
  expect(chooseSource([days(30, { flow: 1 }), days(20, { flow: 1 })])).toBe('flow')
  expect(chooseSource([days(30, { flow: 1 }), []])).toBe('flow')
  expect(chooseSource([days(30, {}), days(20, {})])).toBeUndefined()
})

test('each day that is left out is counted under one reason', () => {
  const all = [
    ...days(5, { flow: 100 }),
    ...days(1, { flow: 501 }),
    ...days(1, { flow: 0 }),
    ...days(1, { flow: -3 }),
    ...days(1, {}),
    ...days(2, { flow: 100 }, Number.NaN),
    { ...(days(1, { flow: 100 })[0] as StationDay), date: '2026-07-01' },
  ]
  const usual = usualHeat([all, days(3, { flow: 100 })], 'flow')
  expect(usual).toBe(100)
  const { used, counts } = selectDays(all, 'flow', usual, (date) => date < '2026-03')
  expect(counts).toEqual({ used: 5, withoutHeat: 1, withoutWeather: 2, implausible: 3, offSeason: 1 })
  expect(used[0]).toEqual({ date: '2026-01-01', outdoorC: 0, heatKwh: 100 })
})
