import { expect, test } from 'vitest'
import { createTestClock } from '../../core.testkit.ts'
import { createPlaceNews } from './map-events.ts'

function createBench() {
  const clock = createTestClock()
  let signal: () => void = () => undefined
  const signals = {
    listen(_channel: string, heard: (payload: string | undefined) => void) {
      signal = () => heard('')
      return () => {
        signal = () => undefined
      }
    },
  }
  const news = createPlaceNews(signals, clock)
  let told = 0
  news.onPlaces(() => {
    told += 1
  })
  return { clock, news, change: () => signal(), told: () => told }
}

test('what changes within a second is told once, and what changes later once more', () => {
  const { clock, change, told } = createBench()
  change()
  change()
  expect(told()).toBe(0)
  clock.advance(1_000)
  expect(told()).toBe(1)
  change()
  clock.advance(1_000)
  expect(told()).toBe(2)
})

test('once it is closed nothing is told, not even what was waiting', () => {
  const { clock, news, change, told } = createBench()
  change()
  news.close()
  change()
  clock.advance(2_000)
  expect(told()).toBe(0)
})
