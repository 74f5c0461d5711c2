import { expect, test } from 'vitest'
import { toAppError } from './to-app-error.ts'

test.each([
  ['a text with a NUL', '22021', 'request.malformed'],
  ['a number out of range', '22003', 'request.malformed'],
  ['a database that shuts down', '57P01', 'server.unavailable'],
  ['a full disk of PostgreSQL', '53100', 'server.disk-full'],
  ['a full disk of ClickHouse', '243', 'server.disk-full'],
  ['a deadlock', '40P01', 'server.unavailable'],
  ['a store without memory left', '241', 'server.unavailable'],
  ['a name server that fails', 'EAI_FAIL', 'server.unavailable'],
  ['a network without a route', 'ENETUNREACH', 'server.unavailable'],
  ['a constraint nobody foresaw', '23505', 'server.internal'],
])('%s becomes its error code', (_what, code, expected) => {
  expect(toAppError(Object.assign(new Error('refused'), { code }), 'r1').code).toBe(expected)
})

test.each([
  ['lost', 'Client has encountered a connection error and is not queryable'],
  ['closed', 'Client was closed and is not queryable'],
])('a query after its connection was %s becomes server.unavailable', (_what, message) => {
  expect(toAppError(new Error(message), 'r1').code).toBe('server.unavailable')
})
