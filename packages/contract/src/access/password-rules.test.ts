import { expect, test } from 'vitest'
import { passwordText } from '../endpoints/administration/users.ts'
import {
  countKinds,
  defaultPasswordRules,
  passwordRules,
  toPasswordLength,
  toStricterRules,
} from './password-rules.ts'

test('a password may have 128 characters, and no policy can demand more than 64', () => {
  expect(passwordText.safeParse('x'.repeat(128)).success).toBe(true)
  expect(passwordText.safeParse('x'.repeat(129)).success).toBe(false)
  const accepts = (minLength: number) => passwordRules.shape.minLength.safeParse(minLength).success
  expect([7, 8, 64, 65].map(accepts)).toEqual([false, true, true, false])
})

test.each([
  ['abcdefghij', 1],
  ['供热站夜班密码', 1],
  ['abcDEF', 2],
  ['abcDEF123', 3],
  ['abcDEF123密码', 4],
])('“%s” has %i kinds of characters', (password, count) => {
  expect(countKinds(password)).toBe(count)
})

test('characters are counted as users see them', () => {
  expect(toPasswordLength('密码🔑')).toBe(3)
})

test('the rules of a company only tighten those of the installation', () => {
  const installation = { ...defaultPasswordRules, minLength: 12, history: 3, idleMinutes: 30, givenDays: 14 }
  const company = {
    ...defaultPasswordRules,
    minLength: 10,
    minKinds: 3,
    maxAgeDays: 90,
    mustChangeGiven: true,
    givenDays: 7,
    needsSecondFactor: true,
    idleMinutes: 15,
  }
  const strict = {
    minLength: 12,
    minKinds: 3,
    history: 3,
    maxAgeDays: 90,
    mustChangeGiven: true,
    givenDays: 7,
    needsSecondFactor: true,
    idleMinutes: 15,
  }
  expect(toStricterRules(installation, company)).toEqual(strict)
  expect(toStricterRules(company, { ...installation, maxAgeDays: 30 })).toEqual({ ...strict, maxAgeDays: 30 })
})
