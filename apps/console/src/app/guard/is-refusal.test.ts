import { expect, test } from 'vitest'
import { ApiError, type ApiErrorCode } from '../../shared/api/api-error.ts'
import { isRefusal } from './is-refusal.ts'

const withoutAnswer: readonly ApiErrorCode[] = [
  'network.failed',
  'network.timeout',
  'http.failed',
  'server.internal',
  'server.unavailable',
  'response.null',
  'request.too-many',
]
const fromServer: readonly ApiErrorCode[] = [
  'session.expired',
  'session.missing',
  'session.disabled',
  'access.denied',
  'response.status',
  'response.malformed',
]

test.each(withoutAnswer)('%s is not a refusal by the server', (code) => {
  expect(isRefusal(new ApiError(code, 'text'))).toBe(false)
})

test.each(fromServer)('%s is a refusal by the server', (code) => {
  expect(isRefusal(new ApiError(code, 'text'))).toBe(true)
})
