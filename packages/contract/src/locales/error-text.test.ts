import { expect, test } from 'vitest'
import { type ErrorCode, errors } from '../errors.ts'
import { toErrorText } from './error-text.ts'

const codes = Object.keys(errors) as ErrorCode[]
const placesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

test.each(codes)('%s has the same places in both languages', (code) => {
  expect(placesOf(toErrorText('en', code))).toEqual(placesOf(toErrorText('zh', code)))
})

test('places are filled, and one without a value stays visible', () => {
  expect(toErrorText('en', 'session.slowed', { retryAfterS: 30 })).toBe(
    'Too many attempts, try again in 30 s',
  )
  expect(toErrorText('zh', 'session.slowed')).toContain('{retryAfterS}')
})
