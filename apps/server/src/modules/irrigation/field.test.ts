import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createLatestValues } from '../telemetry/latest/latest-values.ts'
import { createFieldReader, createFindMetric } from './field.ts'
import type { StoredSource } from './storage/sources.pg.ts'

test('a later message with other metrics makes no opening newer', () => {
  const latest = createLatestValues()
  const find = createFindMetric(latest.findReading)
  const say = (ts: number, metric: 'valve.opening' | 'rssi', value: number) =>
    latest.apply([{ deviceId: 1, ts, quality: 0, values: [{ metric, value, quality: 0 }] }])
  say(1_000, 'valve.opening', 0)
  say(9_000, 'rssi', -80)
  expect(find(1, 'valve.opening')).toBe(0)
  expect(find(1, 'valve.opening', 1_000)).toBe(0)
  expect(find(1, 'valve.opening', 5_000)).toBeUndefined()
  expect(find(1, 'rssi', 5_000)).toBe(-80)
  expect(find(2, 'rssi')).toBeUndefined()
})

test('a forecast that is still read delays no plan, and counts as soon as it is known', async () => {
  const today = Date.UTC(2026, 6, 6)
  let now = today + 8 * HOUR_MS
  let hours: { at: number; outdoorC: number }[] | undefined
  const field = createFieldReader({
    clock: { ...systemClock, now: () => now },
    directory: { entries: () => [] },
    findMetric: () => undefined,
    readWeather: async () => [],
    readForecast: async () => hours,
  })
  const source = { id: 1, path: '/1/', timeZone: 'UTC', settings: {} } as StoredSource
  expect(await field.readDemand(source)).toBeUndefined()
  hours = Array.from({ length: 24 }, (_, hour) => ({
    at: today - DAY_MS + hour * HOUR_MS,
    outdoorC: 20 + hour / 2,
  }))
  expect(await field.readDemand(source)).toBeUndefined()
  now += 5_000
  expect(await field.readDemand(source)).toMatchObject({ days: 1 })
})
