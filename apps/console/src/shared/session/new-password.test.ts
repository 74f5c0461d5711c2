import { expect, test } from 'vitest'
import { generatePassword, newPassword } from './new-password.ts'

test('a generated password is accepted, and no two are equal', () => {
  const made = Array.from({ length: 50 }, generatePassword)
  expect(made.filter((each) => !newPassword.safeParse(each).success)).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test('a new password has ten characters or more', () => {
  expect(newPassword.safeParse('123456789').success).toBe(false)
  expect(newPassword.safeParse('1234567890').success).toBe(true)
})
