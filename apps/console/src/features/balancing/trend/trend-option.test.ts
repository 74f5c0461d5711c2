import { MINUTE_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import { sampleCampaign } from '../campaign/campaign-samples.testkit.ts'
import { findNearest } from '../trend-points.ts'
import { findLateStart, toMarks, toTrendRows } from './trend-option.ts'

const point = (minute: number, sigmaReturnK = 1) => ({
  at: minute * MINUTE_MS,
  sigmaReturnK,
  meanReturnC: 38,
  withinOneK: 0.8,
  valves: 90,
})

describe('the curve', () => {
  test('has a gap where nothing was measured for some time, but not between usual steps', () => {
    const rows = toTrendRows(
      [0, 10, 20, 30, 90, 100].map((minute) => point(minute)),
      ({ sigmaReturnK }) => sigmaReturnK,
    )
    expect(rows.map(([at, value]) => [at / MINUTE_MS, value])).toEqual([
      [0, 1],
      [10, 1],
      [20, 1],
      [30, 1],
      [60, null],
      [90, 1],
      [100, 1],
    ])
  })

  test('the tooltip shows the point nearest to the pointer', () => {
    const points = [point(0), point(10), point(20)]
    expect(findNearest(points, 14 * MINUTE_MS)?.at).toBe(10 * MINUTE_MS)
    expect(findNearest([], 0)).toBeUndefined()
  })
})

test('the first reading is named if it is well after the start of the range', () => {
  expect(findLateStart([{ at: 900 }, { at: 950 }], { from: 0, to: 1_000 })).toBe(900)
  expect(findLateStart([{ at: 90 }, { at: 950 }], { from: 0, to: 1_000 })).toBeUndefined()
  expect(findLateStart([], { from: 0, to: 1_000 })).toBeUndefined()
})

test('campaigns are marked at their approval; drafts and other periods are not', () => {
  const campaigns = [
    sampleCampaign({ id: 1, approvedAt: 50 }),
    sampleCampaign({ id: 2, approvedAt: 500 }),
    sampleCampaign({ id: 3, approvedAt: undefined }),
  ]
  expect(toMarks({ campaigns, span: { from: 0, to: 100 } })).toEqual([{ id: 1, at: 50 }])
})
