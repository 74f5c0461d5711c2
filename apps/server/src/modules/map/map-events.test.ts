import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createPlaceEvents } from './map-events.ts'

function createFixture() {
  const clock = createTestClock()
  let signal: () => void = () => undefined
  const signals = {
    listen(_channel: string, notify: (payload: string | undefined) => void) {
      signal = () => notify('')
      return () => {
        signal = () => undefined
      }
    },
  }
  const events = createPlaceEvents(signals, clock)
  let notified = 0
  events.onPlaces(() => {
    notified += 1
  })
  return { clock, events, change: () => signal(), notified: () => notified }
}

test('changes within a second cause one notification, and later changes another one', () => {
  const { clock, change, notified } = createFixture()
  change()
  change()
  expect(notified()).toBe(0)
  clock.advance(1_000)
  expect(notified()).toBe(1)
  change()
  clock.advance(1_000)
  expect(notified()).toBe(2)
})

test('after close there are no notifications, not even for earlier changes', () => {
  const { clock, events, change, notified } = createFixture()
  change()
  events.close()
  change()
  clock.advance(2_000)
  expect(notified()).toBe(0)
})
