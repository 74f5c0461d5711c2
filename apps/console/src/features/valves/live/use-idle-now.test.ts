import { expect, test } from 'vitest'
import { freezeWhileScrolling } from './use-idle-now.ts'

test('the instant advances while the page is idle, and is frozen while it scrolls', () => {
  expect(freezeWhileScrolling(2_000, 4_000, false)).toBe(4_000)
  expect(freezeWhileScrolling(2_000, 4_000, true)).toBe(2_000)
})

test('the instant advances after ten seconds even if the scrolling does not stop', () => {
  expect(freezeWhileScrolling(2_000, 11_999, true)).toBe(2_000)
  expect(freezeWhileScrolling(2_000, 12_000, true)).toBe(12_000)
})

test('an instant that goes back is not frozen', () => {
  expect(freezeWhileScrolling(20_000, 4_000, false)).toBe(4_000)
})
