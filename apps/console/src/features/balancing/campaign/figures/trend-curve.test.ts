import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toTrendSpan } from '../parts/trend-span.ts'
import { toLabelLines, toPlace, toTrendFrame, toTrendPoints } from './trend-curve.ts'

test('the axis starts at 0 and ends at a round value above the largest one', () => {
  const frame = toTrendFrame({ from: 0, to: 100 }, [1.3, 0.4])
  expect(frame.topK).toBe(1.5)
  expect(frame.ticksK).toEqual([0, 0.5, 1, 1.5])
  expect(toPlace({ at: 25, sigmaK: 0.75 }, frame)).toEqual({ x: 25, y: 50 })
  expect(toTrendFrame({ from: 0, to: 1 }, []).topK).toBeGreaterThan(0)
})

test('the chart shows some time before a campaign and some after it, but no future', () => {
  const requested = { id: 1, node: 'n', createdAt: 10_000_000, settleMs: 1_800_000 }
  expect(toTrendSpan(requested, 11_000_000)).toEqual({ from: 8_200_000, to: 11_000_000 })
  const ended = { ...requested, approvedAt: 10_500_000, endedAt: 12_000_000 }
  expect(toTrendSpan(ended, 99_000_000)).toEqual({ from: 8_700_000, to: 13_800_000 })
  expect(toTrendSpan(ended, 12_100_000).to).toBe(12_100_000)
  const forgotten = toTrendSpan(requested, 20_000_000_000)
  expect((forgotten.to - forgotten.from) / DAY_MS).toBe(92)
  expect(toTrendSpan({ ...requested, settleMs: 1_000 }, 11_000_000).from).toBe(9_400_000)
})

test('labels of marks that are close use separate lines', () => {
  expect(toLabelLines([0, 10, 20, 30, 90])).toEqual([0, 1, 2, 0, 0])
  // The label of a late mark is to its left.
  expect(toLabelLines([50, 76])).toEqual([0, 1])
})

test('points outside the chart are not drawn', () => {
  const point = (instant: number) => ({
    at: instant,
    sigmaReturnK: 1,
    meanReturnC: 38,
    withinOneK: 1,
    valves: 3,
  })
  const points = [point(9), point(10), point(19), point(20)]
  expect(toTrendPoints({ points }, { from: 10, to: 20 }).map(({ at: instant }) => instant)).toEqual([10, 19])
})
