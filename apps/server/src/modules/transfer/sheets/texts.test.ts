import { expect, test } from 'vitest'
import { findColumn, findKind, isReasonHeading } from './texts.ts'

test('names are found in both languages, ignoring width, case and spaces', () => {
  expect(findKind('室温采集器')).toBe('room-sensor')
  expect(findKind('Room-Sensor')).toBe('room-sensor')
  expect(findColumn(' 上报周期（s）')).toBe('periodS')
  expect(findColumn('minimum opening(%)')).toBe('minOpeningPct')
})

test('names of workbooks that earlier versions exported are still found', () => {
  expect(findKind('室温传感器')).toBe('room-sensor')
  expect(findColumn('Period (s)')).toBe('periodS')
  expect(findColumn('Least opening (%)')).toBe('minOpeningPct')
  expect(findColumn('Largest opening (%)')).toBe('maxOpeningPct')
  expect(isReasonHeading('Why it failed')).toBe(true)
  expect(isReasonHeading('Reason for failure')).toBe(true)
})
