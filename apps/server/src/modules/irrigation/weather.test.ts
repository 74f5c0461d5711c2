import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/server.testkit.ts'
import { readWeatherDays } from './weather.ch.ts'

test('reads the range of temperatures and the rain of complete days from the rollups', async () => {
  const server = await startTestServer()
  const day = Math.floor(Date.UTC(2026, 5, 1) / DAY_MS)
  const toRow = (metric: 'temp.outdoor' | 'rain.total', values: Record<string, number>) => ({
    metric: metrics[metric].id,
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    device: 7,
    total: 24,
    good: 24,
    ...values,
  })
  await server.clickhouse.insert({
    table: 'readings_day',
    values: [
      toRow('temp.outdoor', { min_value: 14.8, max_value: 26.6 }),
      toRow('rain.total', { first_value: 100, last_value: 103.4 }),
    ],
    format: 'JSONEachRow',
  })
  const days = await readWeatherDays(server.clickhouse, [7], day - 1, day + 1)
  expect(days).toEqual([{ day, minC: 14.8, maxC: 26.6, rainMm: expect.closeTo(3.4, 6) }])
  expect(await readWeatherDays(server.clickhouse, [8], day - 1, day + 1)).toEqual([])
  await server.close()
})
