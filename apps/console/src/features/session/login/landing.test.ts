import { expect, test } from 'vitest'
import { chooseLanding, storeLanding, takeLanding } from './landing.ts'

test('a login leads to the requested address', () => {
  expect(chooseLanding('/ewph/fmreal?a=1#b', false)).toBe('/ewph/fmreal?a=1#b')
  expect(chooseLanding(null, false)).toBe('/')
})

test('a different user never returns to the page of the last user after login', () => {
  expect(chooseLanding('/ewph/fmreal', true)).toBe('/')
})

test('only the first navigation to the stored address counts as a landing', () => {
  storeLanding('/ewph/fmreal?a=1')
  expect(takeLanding('/ewph/fmreal')).toBe(true)
  expect(takeLanding('/ewph/fmreal')).toBe(false)
  storeLanding('/ewph/fmreal')
  expect(takeLanding('/dashboard')).toBe(false)
  expect(takeLanding('/ewph/fmreal')).toBe(false)
})
