import { expect, test } from 'vitest'
import { en } from '../locales/en.ts'
import { zh } from '../locales/zh.ts'
import { ApiError } from './api-error.ts'
import { toUserFailure } from './user-failure.ts'

const describe = (info: string) => `viewer failure reason: ${info}`

test("§8 non-ok info from user operations: '{account} failure reason: {info}', with unchanged code and values", () => {
  const refused = new ApiError('session.slowed', 'too many attempts', { retryAfterS: 8 })
  expect(toUserFailure(refused, describe)).toMatchObject({
    code: 'session.slowed',
    text: 'viewer failure reason: too many attempts',
    params: { retryAfterS: 8 },
    cause: refused,
  })
})

test('a lost connection is not reported as a reason of the account', () => {
  const lost = new ApiError('network.failed', 'no network')
  expect(toUserFailure(lost, describe)).toBe(lost)
})

test('§8 texts: failure reason and success texts', () => {
  expect(en.failure.reason).toBe('{{account}} failure reason: {{info}}')
  expect(zh.failure.reason).toBe('{{account}} 失败原因：{{info}}')
  expect(Object.values(en.success)).toEqual([
    '{{title}} success',
    '{{account}} registered successfully',
    '{{account}} edited successfully',
    '{{account}} deleted successfully',
  ])
})
