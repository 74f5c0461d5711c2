import { expect, test } from 'vitest'
import type { MapView } from '../view/mercator.ts'
import { createToldViews } from './reported-views.ts'

const toView = (zoom: number): MapView => ({ center: [126.6, 45.7], zoom })

test('a view that comes back late is known, though the map was told of another since', () => {
  const told = createToldViews()
  told.note(toView(12))
  told.note(toView(13))
  // As the address has it: a hundredth of a zoom step.
  expect(told.isEcho(toView(12.004))).toBe(true)
  expect(told.isEcho(toView(13))).toBe(true)
})

test('a view that the page gives by itself is gone to, also one where the map was before', () => {
  const told = createToldViews()
  told.note(toView(12))
  told.note(toView(13))
  expect(told.isEcho(toView(13))).toBe(true)
  expect(told.isEcho(toView(12))).toBe(false)
  told.note(toView(14))
  expect(told.isEcho(toView(9))).toBe(false)
  expect(told.isEcho(toView(14))).toBe(false)
})
