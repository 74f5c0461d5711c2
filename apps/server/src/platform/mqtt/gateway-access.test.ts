import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findGatewayIdentity, mayPublish, maySubscribe, toGatewayPassword } from './gateway-access.ts'

const secret = 'a secret of the installation'
const password = Buffer.from(toGatewayPassword(secret, 'demo:n1'))
const identity = { tenant: 'demo', gateway: 'n1' }

test('a gateway is authenticated by user name, derived password and client id', () => {
  expect(findGatewayIdentity(secret, 'n1', 'demo:n1', password)).toEqual(identity)
})

test.each([
  ['a client id of another node', 'n2', 'demo:n1', password],
  ['a password of another node', 'n2', 'demo:n2', password],
  ['no user name', 'n1', undefined, password],
  ['no password', 'n1', 'demo:n1', undefined],
  ['an empty password', 'n1', 'demo:n1', Buffer.alloc(0)],
  ['a third part', 'n1', 'demo:n1:x', Buffer.from(toGatewayPassword(secret, 'demo:n1:x'))],
  ['a wildcard', '+', 'demo:+', Buffer.from(toGatewayPassword(secret, 'demo:+'))],
])('%s is refused', (_case, clientId, username, given) => {
  expect(findGatewayIdentity(secret, clientId, username, given)).toBeUndefined()
})

test('a gateway publishes and subscribes to its own topics only', () => {
  expect(mayPublish(identity, 'hx/v1/demo/n1/up/telemetry')).toBe(true)
  expect(maySubscribe(identity, 'hx/v1/demo/n1/down/#')).toBe(true)
  for (const foreign of [
    'hx/v1/demo/n10/up/telemetry',
    'hx/v1/demo/n1/down/cmd',
    '#',
    '$SYS/x',
    'hx/v1/+/n1/up/a',
    'hx/v1/demo/n1/up/made-up',
  ]) {
    expect(mayPublish(identity, foreign)).toBe(false)
  }
  for (const foreign of [
    '#',
    'hx/v1/demo/+/down/cmd',
    'hx/v1/demo/n1/up/#',
    'hx/v1/demo/n1/#',
    '$share/g/hx/v1/demo/n1/down/#',
  ]) {
    expect(maySubscribe(identity, foreign)).toBe(false)
  }
})

test('only the derived password is accepted', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      fc.pre(Buffer.compare(bytes, password) !== 0)
      expect(findGatewayIdentity(secret, 'n1', 'demo:n1', bytes)).toBeUndefined()
    }),
  )
})
