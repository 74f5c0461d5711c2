import { defaultPasswordRules } from '@isotherm/contract/access/password-rules'
import { expect, test } from 'vitest'
import { generatePassword, toPasswordSchema } from './new-password.ts'

test.each([
  defaultPasswordRules,
  { ...defaultPasswordRules, minLength: 20, minKinds: 4 },
  { ...defaultPasswordRules, minLength: 8, minKinds: 3 },
])('generated passwords satisfy the rules, and no two are equal: %j', (rules) => {
  const made = Array.from({ length: 50 }, () => generatePassword(rules))
  expect(made.filter((each) => !toPasswordSchema(rules).safeParse(each).success)).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test('a new password has the length and the kinds of characters of the rules', () => {
  const accepts = (rules: Partial<typeof defaultPasswordRules>, text: string) =>
    toPasswordSchema({ ...defaultPasswordRules, ...rules }).safeParse(text).success
  expect(accepts({}, '123456789')).toBe(false)
  expect(accepts({}, '1234567890')).toBe(true)
  expect(accepts({ minKinds: 2 }, '1234567890')).toBe(false)
  expect(accepts({ minKinds: 2 }, '123456789密')).toBe(true)
})
