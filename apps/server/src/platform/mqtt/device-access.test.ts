import { expect, test } from 'vitest'
import { isDevice, mayPublish, maySubscribe, toDevicePassword } from './device-access.ts'

const secret = 'installation secret'
const user = 'demo:C1'
const password = toDevicePassword(secret, user)

test('a node with its own password is let in', () => {
  expect(isDevice(secret, 'C1', user, password)).toBe(true)
})

test.each([
  ['another client id', 'C2', user, password],
  ['another user', 'C1', 'demo:C2', password],
  ['a wrong password', 'C1', user, 'x'.repeat(64)],
  ['no password', 'C1', user, ''],
  ['a user without tenant', 'C1', 'C1', toDevicePassword(secret, 'C1')],
  ['a user with a wildcard', '+', 'demo:+', toDevicePassword(secret, 'demo:+')],
])('%s is refused', (_what, id, name, given) => {
  expect(isDevice(secret, id, name, given)).toBe(false)
})

test('a node publishes and hears its own topics only', () => {
  expect(mayPublish(user, 'hx/v1/demo/C1/up/telemetry')).toBe(true)
  expect(mayPublish(user, 'hx/v1/demo/C2/up/telemetry')).toBe(false)
  expect(mayPublish(user, 'hx/v1/demo/C1/down/cmd')).toBe(false)
  expect(maySubscribe(user, 'hx/v1/demo/C1/down/#')).toBe(true)
  expect(maySubscribe(user, 'hx/v1/demo/+/down/cmd')).toBe(false)
  expect(maySubscribe(user, '#')).toBe(false)
})
