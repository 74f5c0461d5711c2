import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createReportClock, hurry, takeTurn } from './report-clock.ts'

const PERIOD_MS = 5000

function turnsOf(fromMs: number, toMs: number) {
  const clock = createReportClock(1)
  const random = createRandom(1)
  const isTurn = (nowMs: number) => takeTurn(clock, 0, PERIOD_MS, nowMs, random)
  const turns: number[] = []
  for (let now = fromMs; now < toMs; now += 100) if (isTurn(now)) turns.push(now)
  return { clock, isTurn, turns }
}

it('reports about once per period, never twice in one', () => {
  const { turns } = turnsOf(0, 100_000)
  expect(turns.length).toBeGreaterThan(17)
  turns.slice(1).forEach((turn, index) => {
    const gap = turn - (turns[index] ?? 0)
    expect(gap).toBeGreaterThanOrEqual(4500)
    expect(gap).toBeLessThanOrEqual(5600)
  })
})

it('reports at once when hurried', () => {
  const { clock, isTurn } = turnsOf(0, 10_000)
  isTurn(10_000)
  hurry(clock, 0)
  expect(isTurn(10_001)).toBe(true)
  expect(isTurn(10_002)).toBe(false)
})
