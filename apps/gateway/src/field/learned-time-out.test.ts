import { expect, test } from 'vitest'
import { createLearnedTimeOut } from './learned-time-out.ts'

test('learns from the answers: close to their time when they are alike, wider when they vary', () => {
  const steady = createLearnedTimeOut(3_000)
  const varying = createLearnedTimeOut(3_000)
  expect(steady.ms).toBe(3_000)
  for (let answer = 0; answer < 50; answer++) {
    steady.answered(1_000)
    varying.answered(answer % 2 === 0 ? 500 : 1_500)
  }
  expect(steady.ms).toBeGreaterThan(1_000)
  expect(steady.ms).toBeLessThan(1_300)
  expect(varying.ms).toBeGreaterThan(2_000)
})

test('waits longer for a silent device up to a limit, and as before once it answers', () => {
  const timeOut = createLearnedTimeOut(3_000)
  for (const expected of [6_000, 6_000]) {
    timeOut.silent()
    expect(timeOut.ms).toBe(expected)
  }
  timeOut.answered(200)
  const learned = timeOut.ms
  timeOut.silent()
  expect(timeOut.ms).toBe(2 * learned)
  for (let round = 0; round < 9; round++) timeOut.silent()
  expect(timeOut.ms).toBe(4 * learned)
  timeOut.answered(200)
  expect(timeOut.ms).toBeLessThanOrEqual(learned)
})

test('never waits shorter than a network needs, nor longer than ten seconds', () => {
  const quick = createLearnedTimeOut(3_000)
  const slow = createLearnedTimeOut(3_000)
  for (let answer = 0; answer < 50; answer++) {
    quick.answered(2)
    slow.answered(9_500)
  }
  slow.silent()
  expect([quick.ms, slow.ms]).toEqual([400, 10_000])
})
