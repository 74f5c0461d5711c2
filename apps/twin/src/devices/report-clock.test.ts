import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createReportClock } from './report-clock.ts'

function turnsOf(clock: ReturnType<typeof createReportClock>, fromMs: number, toMs: number): number[] {
  const turns: number[] = []
  for (let now = fromMs; now < toMs; now += 100) if (clock.takeTurn('v', 5, now)) turns.push(now)
  return turns
}

it('speaks about every period, never twice in one', () => {
  const turns = turnsOf(createReportClock(createRandom(1)), 0, 100_000)
  expect(turns.length).toBeGreaterThan(17)
  turns.slice(1).forEach((turn, index) => {
    const gap = turn - (turns[index] ?? 0)
    expect(gap).toBeGreaterThanOrEqual(4500)
    expect(gap).toBeLessThanOrEqual(5600)
  })
})

it('speaks at once when hurried', () => {
  const clock = createReportClock(createRandom(1))
  turnsOf(clock, 0, 10_000)
  clock.takeTurn('v', 5, 10_000)
  clock.hurry('v')
  expect(clock.takeTurn('v', 5, 10_001)).toBe(true)
  expect(clock.takeTurn('v', 5, 10_002)).toBe(false)
})
