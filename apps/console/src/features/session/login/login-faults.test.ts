import { expect, test } from 'vitest'
import { findLoginFaults } from './login-faults.ts'

test.each([
  ['', '', { account: 'login.accountRequired', password: 'login.passwordRequired' }],
  ['  ', 'secret', { account: 'login.accountRequired' }],
  ['wang', '', { password: 'login.passwordRequired' }],
  ['w'.repeat(65), 'secret', { account: 'login.accountTooLong' }],
  [` ${'w'.repeat(64)} `, 'secret', {}],
  ['wang', ' ', {}],
] as const)('%j with %j lacks %o', (account, password, faults) => {
  expect(findLoginFaults({ account, password })).toEqual(faults)
})
