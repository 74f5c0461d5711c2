import { expect, test } from 'vitest'
import { createLatestValues } from './latest-values.ts'

const update = (
  ts: number,
  metric: 'valve.opening' | 'temp.return' | 'temp.room',
  value: number,
  quality = 0,
) => ({
  deviceId: 1,
  ts,
  quality: 0,
  values: [{ metric, value, quality }],
})

test('a newer value replaces an older one and never the other way round', () => {
  const latest = createLatestValues()
  latest.apply([update(20, 'valve.opening', 60)])
  expect(latest.apply([update(10, 'valve.opening', 35)]).size).toBe(0)
  expect(latest.find(1)).toMatchObject({ ts: 20, metrics: { 'valve.opening': 60 } })
})

test('metrics with different periods keep their own newest value', () => {
  const latest = createLatestValues()
  latest.apply([update(20, 'valve.opening', 60)])
  latest.apply([update(15, 'temp.return', 38.5)])
  expect(latest.find(1)).toMatchObject({ ts: 20, metrics: { 'valve.opening': 60, 'temp.return': 38.5 } })
  expect(latest.findReading(1, 'valve.opening')).toEqual({ value: 60, ts: 20, quality: 0 })
  expect(latest.findReading(1, 'temp.return')).toEqual({ value: 38.5, ts: 15, quality: 0 })
  expect(latest.findReading(1, 'rssi')).toBeUndefined()
})

test('each change has a higher version than the one before', () => {
  const latest = createLatestValues()
  latest.apply([update(10, 'valve.opening', 35)])
  const before = latest.version()
  latest.apply([update(11, 'valve.opening', 36)])
  expect(latest.find(1)?.version).toBeGreaterThan(before)
  expect(latest.version()).toBe(latest.find(1)?.version)
})

test('the quality is that of the newest sample, including the bits of the checks', () => {
  const latest = createLatestValues()
  latest.apply([update(10, 'temp.return', 500, 4)])
  expect(latest.find(1)?.quality).toBe(4)
  latest.apply([update(11, 'temp.return', 40)])
  expect(latest.find(1)?.quality).toBe(0)
})

test('absence of a device is a change, except for devices that never reported', () => {
  const latest = createLatestValues()
  latest.apply([update(10, 'valve.opening', 35)])
  const before = latest.version()
  const absences = [1, 2].map((deviceId) => ({ deviceId, presence: 'silent' as const }))
  expect([...latest.mark(absences)]).toEqual([1])
  expect(latest.find(1)).toMatchObject({ absence: 'silent', version: before + 1 })
  expect(latest.mark(absences).size).toBe(0)
  latest.mark([{ deviceId: 1, presence: 'present' }])
  expect(latest.find(1)).not.toHaveProperty('absence')
})

test('a column of a metric has the last value of each device, from before and after the first query', async () => {
  const latest = createLatestValues()
  latest.apply([update(20, 'temp.return', 38.5), { ...update(20, 'temp.return', 41), deviceId: 5_000 }])
  latest.apply([{ ...update(20, 'valve.opening', 60), deviceId: 7 }])
  const opening = latest.open('temp.return')
  latest.apply([update(30, 'temp.return', 39)])
  const returns = await opening
  expect([1, 7, 5_000, 9_999].map(returns.get)).toEqual([39, Number.NaN, 41, Number.NaN])
  latest.apply([update(10, 'temp.return', 20), { ...update(40, 'temp.return', 45), deviceId: 7 }])
  expect([1, 7].map(returns.get)).toEqual([39, 45])
  expect(await latest.open('temp.return')).toBe(returns)
})

test('the quality of a device is that of its newest values, and 0 if it never reported', () => {
  const latest = createLatestValues()
  latest.apply([update(10, 'temp.return', 500, 4)])
  expect([1, 2].map(latest.qualityOf)).toEqual([4, 0])
  latest.apply([update(11, 'temp.return', 40)])
  expect(latest.qualityOf(1)).toBe(0)
})

test('each value has its own quality, with the bits of its message', () => {
  const latest = createLatestValues()
  latest.apply([update(10, 'temp.return', 500, 4)])
  latest.apply([{ ...update(10, 'valve.opening', 60, 16), quality: 2 }])
  latest.apply([update(11, 'temp.room', 20)])
  expect(latest.findReading(1, 'temp.return')?.quality).toBe(4)
  expect(latest.findReading(1, 'valve.opening')?.quality).toBe(18)
  expect(latest.findReading(1, 'temp.room')?.quality).toBe(0)
  expect(latest.find(1)?.qualities).toEqual({ 'temp.return': 4, 'valve.opening': 18 })
  latest.apply([update(12, 'temp.return', 40)])
  expect(latest.findReading(1, 'temp.return')?.quality).toBe(0)
})
