import { expect, test } from 'vitest'
import { addCounts, createCallMeter, findQuantileMs, noCalls } from './call-meter.ts'

function createMeter() {
  let now = 0
  const meter = createCallMeter({ elapsed: () => now })
  const run = (name: string, durationMs: number, outcome: 'ok' | 'failed' = 'ok') => {
    const end = meter.start(name)
    now += durationMs
    end(outcome)
  }
  return { meter, run }
}

test('calls and failures are counted by interface, and each count is taken once', () => {
  const { meter, run } = createMeter()
  run('getUser', 5)
  run('getUser', 5, 'failed')
  run('login', 5)
  const taken = meter.take()
  expect([...taken].map(([name, { calls, failures }]) => [name, calls, failures])).toEqual([
    ['getUser', 2, 1],
    ['login', 1, 0],
  ])
  expect(meter.take().size).toBe(0)
})

test('counts that could not be stored are added to those counted meanwhile', () => {
  const { meter, run } = createMeter()
  run('getUser', 5)
  const taken = meter.take()
  run('getUser', 300, 'failed')
  meter.restore(taken)
  expect(meter.take().get('getUser')).toMatchObject({ calls: 2, failures: 1 })
})

test('a quantile is near the exact one', () => {
  const { meter, run } = createMeter()
  for (let ms = 1; ms <= 1_000; ms += 1) run('x', ms)
  const counts = meter.take().get('x') ?? noCalls
  for (const [share, exact] of [
    [0.5, 500],
    [0.95, 950],
    [0.99, 990],
  ] as const)
    expect(Math.abs((findQuantileMs(counts, share) ?? 0) / exact - 1)).toBeLessThan(0.08)
})

test('without calls there is no quantile; a very long call counts as the longest bound', () => {
  expect(findQuantileMs(noCalls, 0.95)).toBeNull()
  const { meter, run } = createMeter()
  run('x', 10_000_000)
  expect(findQuantileMs(addCounts(noCalls, meter.take().get('x') ?? noCalls), 0.95)).toBe(65_536)
})
