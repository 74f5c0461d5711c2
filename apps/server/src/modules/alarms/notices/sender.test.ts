import { HOUR_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toPauseMs } from './sender.ts'

const pauses = Array.from({ length: 11 }, (_, index) => toPauseMs(index + 1) ?? 0)

test('the pause triples with each failed attempt, up to four hours', () => {
  expect(pauses.slice(0, 8)).toEqual(
    [5, 15, 45, 135, 405, 1_215, 3_645, 10_935].map((seconds) => seconds * SECOND_MS),
  )
  expect(pauses.slice(8)).toEqual([4 * HOUR_MS, 4 * HOUR_MS, 4 * HOUR_MS])
})

test('the twelfth failed attempt is the last, some 17 hours after the first', () => {
  expect(toPauseMs(12)).toBeUndefined()
  expect(toPauseMs(13)).toBeUndefined()
  expect(pauses.reduce((sum, pause) => sum + pause, 0) / HOUR_MS).toBeCloseTo(16.6, 1)
})
