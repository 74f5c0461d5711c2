import { DAY_MS } from '@isotherm/kernel/durations'
import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createGatewayClock, setTime, showTime } from './gateway-clock.ts'

const NOW = 1_763_683_200_000

it('stays correct without drift', () => {
  const clock = createGatewayClock(0, createRandom(1), NOW)
  expect(showTime(clock, NOW + 365 * DAY_MS)).toBe(NOW + 365 * DAY_MS)
})

it('drifts by its parts per million (20 ppm are 1.7 s a day) until it is set', () => {
  const clock = { driftPpm: 20, setAtMs: NOW, offsetMs: 0 }
  expect(showTime(clock, NOW + DAY_MS)).toBe(NOW + DAY_MS + 1728)
  setTime(clock, NOW + DAY_MS + 40, NOW + DAY_MS)
  expect(showTime(clock, NOW + DAY_MS)).toBe(NOW + DAY_MS + 40)
  expect(showTime(clock, NOW + 2 * DAY_MS)).toBe(NOW + 2 * DAY_MS + 40 + 1728)
})

it('drifts differently for each clock', () => {
  const identity = createRandom(3)
  expect(createGatewayClock(20, identity, NOW).driftPpm).not.toBe(
    createGatewayClock(20, identity, NOW).driftPpm,
  )
})
