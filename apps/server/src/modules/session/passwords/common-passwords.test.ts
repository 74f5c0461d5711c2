import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  '',
  '1234567890',
  '9876543210',
  'qwertyuiop',
  'Password123',
  'P@ssword2026!',
  'sunshine-2026',
  'Admin@123',
  'woaini1314',
  'isotherm-demo',
  'abababababab',
  '一二三四五六七八九十',
  'Gongnuan@2026',
  '集中供热202612345',
])('“%s” is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['a password that nobody guesses', '东苑换热站的夜班密码', 'kT7wq-93mzPa'])(
  '“%s” is not',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)
