import { DAY_MS } from '@isotherm/kernel/durations'
import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createGatewayClock, setTime, showTime } from './gateway-clock.ts'

const NOW = 1_763_683_200_000

it('is right for ever without drift', () => {
  const clock = createGatewayClock(0, createRandom(1), NOW)
  expect(showTime(clock, NOW + 365 * DAY_MS)).toBe(NOW + 365 * DAY_MS)
})

it('wanders by its millionths, 1.7 s a day at 20 of them, until it is set', () => {
  const clock = { driftPpm: 20, setAtMs: NOW, offsetMs: 0 }
  expect(showTime(clock, NOW + DAY_MS)).toBe(NOW + DAY_MS + 1728)
  setTime(clock, NOW + DAY_MS + 40, NOW + DAY_MS)
  expect(showTime(clock, NOW + DAY_MS)).toBe(NOW + DAY_MS + 40)
  expect(showTime(clock, NOW + 2 * DAY_MS)).toBe(NOW + 2 * DAY_MS + 40 + 1728)
})

it('differs from clock to clock', () => {
  const identity = createRandom(3)
  expect(createGatewayClock(20, identity, NOW).driftPpm).not.toBe(
    createGatewayClock(20, identity, NOW).driftPpm,
  )
})
