import { expect, test } from 'vitest'
import { findMark } from './chart-alarms.ts'

const panel = { top: 20, height: 100 }
/** Marks are drawn at the bottom of the panel. */
const FOOT_PX = 114
const marks = [
  { at: 10_000, isBegin: true, text: 'raised' },
  { at: 13_000, isBegin: false, text: 'cleared' },
]
const find = (at: number, yPx: number) => findMark(marks, { at, xPx: 0, yPx, msPerPx: 500 }, panel)?.text

test('the mark nearest to the pointer is found, and none above, below or beside the marks', () => {
  expect([9_000, 11_000, 12_000, 16_000].map((at) => find(at, FOOT_PX))).toEqual([
    'raised',
    'raised',
    'cleared',
    'cleared',
  ])
  expect([find(10_000, FOOT_PX - 20), find(20_000, FOOT_PX)]).toEqual([undefined, undefined])
  expect(findMark([], { at: 0, xPx: 0, yPx: FOOT_PX, msPerPx: 1 }, panel)).toBeUndefined()
})
