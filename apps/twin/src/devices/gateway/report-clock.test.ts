import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { createReportClock, makeDue, takeDueReport } from './report-clock.ts'

const PERIOD_MS = 5000

function runClock(fromMs: number, toMs: number) {
  const clock = createReportClock(1)
  const random = createRandom(1)
  const isDue = (nowMs: number) => takeDueReport(clock, 0, PERIOD_MS, nowMs, random)
  const reports: number[] = []
  for (let now = fromMs; now < toMs; now += 100) if (isDue(now)) reports.push(now)
  return { clock, isDue, reports }
}

it('reports about once per period, never twice in one', () => {
  const { reports } = runClock(0, 100_000)
  expect(reports.length).toBeGreaterThan(17)
  reports.slice(1).forEach((at, index) => {
    const gap = at - (reports[index] ?? 0)
    expect(gap).toBeGreaterThanOrEqual(4500)
    expect(gap).toBeLessThanOrEqual(5600)
  })
})

it('reports at once when hurried', () => {
  const { clock, isDue } = runClock(0, 10_000)
  isDue(10_000)
  makeDue(clock, 0)
  expect(isDue(10_001)).toBe(true)
  expect(isDue(10_002)).toBe(false)
})
