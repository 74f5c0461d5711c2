import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { buildAllRollups } from '../../../testing/build-rollups.testkit.ts'
import { startTestServer } from '../../../testing/server.testkit.ts'
import { readWeatherDays } from './weather.ch.ts'

test('reads the range of temperatures and the rain of complete days from the rollups', async () => {
  const server = await startTestServer()
  // The first pass drops the rollups that it finds.
  await buildAllRollups(server, server.config.history.timeZone)
  const day = Math.floor(Date.UTC(2026, 5, 1) / DAY_MS)
  const toRow = (
    metric: 'temp.outdoor' | 'rain.total' | 'humidity.outdoor' | 'wind.speed' | 'sun.radiation',
    values: Record<string, number>,
    daysLater: number = 0,
  ) => ({
    metric: metrics[metric].id,
    day: new Date((day + daysLater) * DAY_MS).toISOString().slice(0, 10),
    device: 7,
    total: 24,
    good: 24,
    hours: 24,
    ...values,
  })
  await server.clickhouse.insert({
    table: 'readings_day',
    values: [
      toRow('temp.outdoor', { min_value: 14.8, max_value: 26.6 }),
      toRow('rain.total', { first_value: 100, last_value: 103.4, max_value: 103.4 }),
      { ...toRow('rain.total', { first_value: 20, last_value: 21.5, max_value: 21.5 }), device: 9 },
      // 1.6 mm fell before the first reading of the day.
      toRow('temp.outdoor', { min_value: 12, max_value: 20 }, 1),
      toRow('rain.total', { first_value: 105, last_value: 106, max_value: 106 }, 1),
      // The counter was reset at 108, after 2 mm, and counted 0.5 mm since.
      toRow('temp.outdoor', { min_value: 11, max_value: 19 }, 2),
      toRow('rain.total', { first_value: 106, last_value: 0.5, max_value: 108 }, 2),
      toRow('humidity.outdoor', { min_value: 54, max_value: 82, sum_value: 24 * 70 }, 3),
      toRow('wind.speed', { min_value: 0, max_value: 9, sum_value: 24 * 2.5 }, 3),
      toRow('sun.radiation', { min_value: -3, max_value: 900, sum_value: 24 * 250 }, 3),
      toRow('wind.speed', { min_value: 0, max_value: 9, sum_value: 24 * 3 }, 4),
      toRow('sun.radiation', { min_value: 10, max_value: 900, sum_value: 24 * 500, hours: 12 }, 4),
      // One station failed at seven, and the rain gauge reported once.
      { ...toRow('temp.outdoor', { min_value: 12, max_value: 16, hours: 7 }, 5), device: 8 },
      { ...toRow('rain.total', { first_value: 50, last_value: 50, max_value: 50, hours: 1 }, 5), device: 8 },
      {
        ...toRow('humidity.outdoor', { min_value: 20, max_value: 99, sum_value: 0, hours: 7 }, 5),
        device: 8,
      },
      toRow('humidity.outdoor', { min_value: 54, max_value: 82, sum_value: 24 * 70 }, 5),
    ],
    format: 'JSONEachRow',
  })
  const days = await readWeatherDays(server.clickhouse, [7], day - 1, day + 1)
  expect(days).toEqual([{ day, minC: 14.8, maxC: 26.6, rainMm: expect.closeTo(3.4, 6) }])
  const later = await readWeatherDays(server.clickhouse, [7], day + 1, day + 3)
  expect(later.map(({ rainMm }) => rainMm)).toEqual([expect.closeTo(2.6, 6), expect.closeTo(2.5, 6)])
  expect(later[0]).not.toHaveProperty('humidityPct')
  const whole = await readWeatherDays(server.clickhouse, [7], day + 3, day + 5)
  expect(whole).toEqual([
    { day: day + 3, humidityPct: { min: 54, max: 82 }, windMS: 2.5, solarMJ: expect.closeTo(21.6, 6) },
    // The pyranometer reported in 12 hours only.
    { day: day + 4, windMS: 3 },
  ])
  expect(await readWeatherDays(server.clickhouse, [7, 8], day + 5, day + 6)).toEqual([
    { day: day + 5, humidityPct: { min: 54, max: 82 }, part: { minC: 12, maxC: 16, rainMm: 0 } },
  ])
  expect(await readWeatherDays(server.clickhouse, [8], day - 1, day + 1)).toEqual([])
  // The rain sensor of the source counts instead of the station that counted more, and not while it did not report.
  const byOwn = await readWeatherDays(server.clickhouse, [7, 9], day, day + 2, 9)
  expect(byOwn.map(({ rainMm }) => rainMm)).toEqual([1.5, expect.closeTo(2.6, 6)])
  expect(byOwn[0]).toMatchObject({ minC: 14.8, maxC: 26.6 })
  await server.close()
})

test('the rain sensor of a source counts on the days that its counter covers, however few its readings are', async () => {
  const server = await startTestServer()
  const day = Math.floor(Date.UTC(2026, 6, 1) / DAY_MS)
  const toRow = (
    device: number,
    daysLater: number,
    [first_value, last_value]: readonly [number, number],
    hours: number,
  ) => ({
    metric: metrics['rain.total'].id,
    day: new Date((day + daysLater) * DAY_MS).toISOString().slice(0, 10),
    device,
    total: hours,
    good: hours,
    hours,
    first_value,
    last_value,
    max_value: last_value,
  })
  const values = [
    // The station reports each hour: it rains 10 mm a day there.
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((after) => toRow(7, after, [10 * after, 10 * after + 10], 24)),
    // The rain sensor reports only when it rains, in the first days once a day.
    toRow(9, 1, [20, 20], 1),
    toRow(9, 2, [23, 23], 1),
    toRow(9, 4, [27, 28], 2),
    // It was away for more than three days: what its counter has counted there is not of this day.
    toRow(9, 8, [70, 71], 2),
  ]
  await server.clickhouse.insert({ table: 'readings_day', values, format: 'JSONEachRow' })
  const read = async (from: number, to: number, rainId?: number) =>
    (await readWeatherDays(server.clickhouse, [7, 9], day + from, day + to, rainId)).map(
      ({ rainMm }) => rainMm,
    )
  // Before its first two readings the station counts, then 3 mm, none, and 5 mm since the last reading before.
  expect(await read(0, 5, 9)).toEqual([10, 10, 3, 0, 5])
  expect(await read(4, 5, 9)).toEqual([5])
  // A day after its last reading is that of the station.
  expect(await read(2, 4, 9)).toEqual([3, 10])
  expect(await read(5, 9, 9)).toEqual([10, 10, 10, 10])
  expect(await read(0, 5)).toEqual([10, 10, 10, 10, 10])
  await server.close()
})
