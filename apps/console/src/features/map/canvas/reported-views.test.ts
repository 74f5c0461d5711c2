import { expect, test } from 'vitest'
import type { MapView } from '../view/mercator.ts'
import { createReportedViews } from './reported-views.ts'

const toView = (zoom: number): MapView => ({ center: [126.6, 45.7], zoom })

test('a late view is recognized, although another view was reported since', () => {
  const reported = createReportedViews()
  reported.note(toView(12))
  reported.note(toView(13))
  // Rounded as in the address: a hundredth of a zoom step.
  expect(reported.isEcho(toView(12.004))).toBe(true)
  expect(reported.isEcho(toView(13))).toBe(true)
})

test('a view chosen by the page moves the map, also to an earlier view', () => {
  const reported = createReportedViews()
  reported.note(toView(12))
  reported.note(toView(13))
  expect(reported.isEcho(toView(13))).toBe(true)
  expect(reported.isEcho(toView(12))).toBe(false)
  reported.note(toView(14))
  expect(reported.isEcho(toView(9))).toBe(false)
  expect(reported.isEcho(toView(14))).toBe(false)
})
