import type { StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toRetryAt } from './retry.ts'
import type { Hindrance } from './tick-needs.ts'

const START = Date.UTC(2026, 10, 22)

/** Minutes until the next try after each of a series of failures. */
function waitsOf(hindrances: readonly Hindrance[], last: StrategyOutcome | null = null): readonly number[] {
  let [before, now] = [last, START]
  return hindrances.map((hindrance) => {
    const next = toRetryAt(before, hindrance, now)
    const waitMs = next - now
    before = { ...hindrance, at: now }
    now = next
    return waitMs / MINUTE_MS
  })
}

const unmeasured: Hindrance = { kind: 'not-measured' }
const refused = (code: NonNullable<Hindrance['code']>): Hindrance => ({ kind: 'refused', code })

test('the same failure is retried after twice the time, and at least once an hour', () => {
  expect(waitsOf(Array(7).fill(unmeasured))).toEqual([5, 10, 20, 40, 60, 60, 60])
  expect(waitsOf(Array(3).fill(refused('command.held')))).toEqual([5, 10, 20])
})

test('a different failure, or a failure after a success, is retried after five minutes', () => {
  const reasons = [
    unmeasured,
    unmeasured,
    refused('command.held'),
    refused('command.total-too-low'),
    unmeasured,
  ]
  expect(waitsOf(reasons)).toEqual([5, 10, 5, 5, 5])
  expect(waitsOf([unmeasured], { kind: 'done', at: START - 20 * MINUTE_MS })).toEqual([5])
})

test('after a pause of hours the same failure is retried after five minutes again', () => {
  const last = { ...unmeasured, at: START - 3 * 60 * MINUTE_MS }
  expect(waitsOf([unmeasured, unmeasured], last)).toEqual([5, 10])
})

test('while rooms respond to moves, the next try waits until they are at rest', () => {
  const moving = (hours: number): Hindrance => ({
    kind: 'refused',
    code: 'balance.rooms-moving',
    params: { hours },
  })
  expect(waitsOf([moving(108), moving(0)])).toEqual([108 * 60, 5])
})

test('while another campaign uses the loop, every try waits five minutes', () => {
  expect(waitsOf(Array(4).fill({ kind: 'loop-taken', campaign: 3 }))).toEqual([5, 5, 5, 5])
})
