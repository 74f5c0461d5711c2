import { expect, test } from 'vitest'
import { hasUnknownCurves } from './curved-loop.ts'

test('a loop has unknown curves if any is assumed, and none without a record of their sources', () => {
  expect(hasUnknownCurves({ curves: ['stated', 'assumed', 'plate'] })).toBe(true)
  expect(hasUnknownCurves({ curves: ['stated', 'plate'] })).toBe(false)
  expect(hasUnknownCurves({})).toBe(false)
})
