import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toConsumer } from '../loop/consumer.testkit.ts'
import type { Loop } from '../loop/loop.ts'
import { newestFlows, type WatchSpan } from './newest-flows.ts'
import type { ReadSeries } from './readings.ch.ts'

const NOW = Date.UTC(2026, 0, 10)
const STEP_MS = 10 * MINUTE_MS
const COUNT = 18
const loop: Loop = {
  station: { deviceId: 9, path: '/', periodS: 600 },
  areas: [],
  consumers: [1, 2, 3, 4].map((deviceId) => ({
    ...toConsumer(deviceId, 'radiator'),
    rooms: [{ deviceId: deviceId + 100, path: '/1/', periodS: 600 }],
  })),
  pipes: [],
}

/** A reading every ten minutes up to now; `shown` gets the minutes before now. */
const series = (shown: (minutesAgo: number) => number, count = COUNT): ReadSeries => {
  const ago = Array.from({ length: count }, (_, index) => (count - 1 - index) * 10)
  return { ts: ago.map((minutes) => NOW - minutes * MINUTE_MS), value: ago.map(shown) }
}
const working = { 'heat.flow': series(() => 3.6), 'temp.return': series(() => 38) }
const none: ReadSeries = { ts: [], value: [] }

function flowsWith(
  second: Partial<Record<MetricName, ReadSeries>>,
  { others = working, ...change }: Partial<WatchSpan> & { others?: typeof working } = {},
): ReadonlyMap<number, number> {
  const readings = (deviceId: number, metric: MetricName): ReadSeries => {
    const shown: Partial<Record<MetricName, ReadSeries>> = deviceId === 2 ? second : others
    return shown[metric] ?? none
  }
  const span = { since: NOW - STEP_MS, to: NOW, timeFactor: 1, ...change }
  return newestFlows(loop, readings, new Map([[102, 20]]), span)
}

const stoppedFor = (minutes: number): ReadSeries => series((ago) => (ago >= minutes ? 3.6 : 0))

test('a meter that showed no flow for hours while its return stays warm is dead', () => {
  const flows = flowsWith({ 'heat.flow': series(() => 0), 'temp.return': series(() => 37) })
  expect([...flows.keys()]).toEqual([1, 3, 4])
})

test('a building whose valve just shut has no flow, although its return is still warm', () => {
  const flows = flowsWith({ 'heat.flow': stoppedFor(20), 'temp.return': series(() => 37) })
  expect(flows.get(2)).toBe(0)
})

test('a building without flow has none while its return cools, and a warm one is dead after an hour', () => {
  const cooling = series((ago) => (ago >= 90 ? 38 : 35 + ago / 30))
  expect(flowsWith({ 'heat.flow': stoppedFor(90), 'temp.return': cooling }).get(2)).toBe(0)
  const warm = { 'heat.flow': stoppedFor(90), 'temp.return': series(() => 38) }
  expect(flowsWith(warm).has(2)).toBe(false)
  // In a plant that runs twice as slowly, less than an hour has passed.
  expect(flowsWith(warm, { timeFactor: 0.5 }).get(2)).toBe(0)
})

test('a return that falls with all others does not show standing water', () => {
  const falling = series((ago) => 36 + ago / 60)
  const others = { ...working, 'temp.return': falling }
  const flows = flowsWith({ 'heat.flow': series(() => 0), 'temp.return': falling }, { others })
  expect(flows.has(2)).toBe(false)
})

test('a building whose water has cooled to its rooms has no flow, and old readings do not count', () => {
  const cold = { 'heat.flow': series(() => 0), 'temp.return': series(() => 23) }
  expect(flowsWith(cold).get(2)).toBe(0)
  expect(flowsWith(cold, { since: NOW }).size).toBe(0)
})

test('if the pump stops, all buildings have no flow', () => {
  const stopped = { 'heat.flow': stoppedFor(20), 'temp.return': series(() => 37) }
  expect([...flowsWith(stopped, { others: stopped }).values()]).toEqual([0, 0, 0, 0])
  const longer = { 'heat.flow': stoppedFor(120), 'temp.return': series((ago) => 36 + ago / 60) }
  expect([...flowsWith(longer, { others: longer, since: NOW - HOUR_MS }).values()]).toEqual([0, 0, 0, 0])
})
