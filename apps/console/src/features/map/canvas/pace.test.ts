import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

/** Notes frames so far apart, ms; gives what the last of them tells. */
function run(gaps: readonly number[]): boolean {
  const pace = createPace()
  let now = 0
  let told = pace.note(now)
  for (const gap of gaps) {
    now += gap
    told = pace.note(now)
  }
  return told
}

const frames = (count: number, ms: number) => Array.from({ length: count }, () => ms)

test('a map that is drawn forty times a second keeps up, one of which every other frame is late does not', () => {
  expect(run(frames(50, 25))).toBe(false)
  expect(run(frames(5, 33.3))).toBe(true)
})

test('a few late frames, and pauses of the hand, are no slowness', () => {
  expect(run([16, 16, 60, 16, 16, 16, 60])).toBe(false)
  expect(run([16, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000])).toBe(false)
})

test('once slow it stays so: the next movement need not stutter first', () => {
  expect(run([...frames(5, 80), ...frames(20, 16)])).toBe(true)
})
