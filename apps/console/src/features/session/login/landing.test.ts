import { expect, test } from 'vitest'
import { chooseLanding, storeLanding, takeLanding } from './landing.ts'

test('a login leads to the requested address', () => {
  expect(chooseLanding('/ewph/fmreal?a=1#b', false)).toBe('/ewph/fmreal?a=1#b')
  expect(chooseLanding(null, false)).toBe('/')
})

test('a different user signing in never lands on the page of the last one', () => {
  expect(chooseLanding('/ewph/fmreal', true)).toBe('/')
})

test('a landing is taken by the navigation to it, once', () => {
  storeLanding('/ewph/fmreal?a=1')
  expect(takeLanding('/ewph/fmreal')).toBe(true)
  expect(takeLanding('/ewph/fmreal')).toBe(false)
  storeLanding('/ewph/fmreal')
  expect(takeLanding('/dashboard')).toBe(false)
  expect(takeLanding('/ewph/fmreal')).toBe(false)
})
