import { expect, test } from 'vitest'
import { ApiError, type ApiErrorCode } from '../../shared/api/api-error.ts'
import { isRefusal } from './is-refusal.ts'

const unheard: readonly ApiErrorCode[] = [
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

test.each(unheard)('%s is not the word of the server about the user', (code) => {
  expect(isRefusal(new ApiError(code, 'text'))).toBe(false)
})

test.each(fromServer)('%s is', (code) => {
  expect(isRefusal(new ApiError(code, 'text'))).toBe(true)
})
