import { expect, test } from 'vitest'
import { createLatestValues } from '../telemetry/latest/latest-values.ts'
import { createFindMetric } from './field.ts'

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
