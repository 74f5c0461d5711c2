import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

function start() {
  const machine = { now: Date.UTC(2026, 10, 21, 4), elapsed: 7 }
  const steady = createSteadyClock({ now: () => machine.now, elapsed: () => machine.elapsed })
  const pass = (ms: number) => {
    machine.now += ms
    machine.elapsed += ms
  }
  return { machine, steady, pass, startedAt: machine.now }
}

test('it goes on evenly while the clock of the machine is set forward and back', () => {
  const { machine, steady, pass, startedAt } = start()
  for (const jump of [HOUR_MS, -2 * HOUR_MS, 3 * DAY_MS]) {
    machine.now += jump
    pass(1_000)
  }
  expect(steady.now()).toBe(startedAt + 3_000)
})

test('the time of before is known for a day; then the clock of the machine is believed', () => {
  const { machine, steady, pass } = start()
  expect(steady.shiftMs()).toBe(0)
  machine.now -= HOUR_MS
  expect(steady.shiftMs()).toBe(HOUR_MS)
  pass(DAY_MS - 1)
  expect(steady.shiftMs()).toBe(HOUR_MS)
  pass(1)
  expect(steady.shiftMs()).toBe(0)
})

test('a clock that is set right again leaves no difference, and a small correction is none', () => {
  const { machine, steady, pass } = start()
  machine.now += HOUR_MS
  expect(steady.shiftMs()).toBe(-HOUR_MS)
  pass(60_000)
  machine.now -= HOUR_MS
  expect(steady.shiftMs()).toBe(0)
  machine.now += 4_000
  expect(steady.shiftMs()).toBe(0)
})

test('steps again and again do not prolong the doubt', () => {
  const { machine, steady, pass } = start()
  for (let hour = 0; hour < 25; hour++) {
    machine.now += 6_000
    steady.shiftMs()
    pass(HOUR_MS)
  }
  expect(Math.abs(steady.shiftMs())).toBeLessThanOrEqual(6_000)
})
