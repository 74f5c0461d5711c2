import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findClaimedGateway,
  judgeSignIn,
  mayPublish,
  maySubscribe,
  toGatewayPassword,
} from './gateway-access.ts'

const secret = 'a secret of the installation'
const identity = { tenant: 'demo', gateway: 'n1' }
const password = Buffer.from(toGatewayPassword(secret, identity))
const fresh = { state: 'in-use', version: 0 } as const

test('the passwords of gateways that were configured before stay valid', () => {
  expect(toGatewayPassword('s', { tenant: 'demo', gateway: 'C-1' })).toBe(
    '5c06b40e4648396ae13c1749f486ed46e36c77613a4976cb4b2b11407eac2b20',
  )
})

describe('the name of a connection', () => {
  test.each([
    ['the user name as client id', 'demo/n1', 'demo/n1'],
    ['only the serial as client id', 'n1', 'demo/n1'],
    ['the user name of before', 'n1', 'demo:n1'],
    ['the user name of before as client id', 'demo:n1', 'demo:n1'],
    ['a mixture of both', 'demo/n1', 'demo:n1'],
  ])('may be %s', (_case, clientId, username) => {
    expect(findClaimedGateway(clientId, username)).toEqual(identity)
  })

  test.each([
    ['a client id of another gateway', 'n2', 'demo/n1', 'wrong-client-id'],
    ['a client id of another company', 'other/n1', 'demo/n1', 'wrong-client-id'],
    ['no user name', 'n1', '', 'bad-name'],
    ['a third part', 'n1', 'demo/n1/x', 'bad-name'],
    ['a wildcard', '+', 'demo/+', 'bad-name'],
    ['no company', 'n1', '/n1', 'bad-name'],
  ])('may not be %s', (_case, clientId, username, reason) => {
    expect(findClaimedGateway(clientId, username)).toBe(reason)
  })
})

test.each([
  ['the right password', password, fresh, undefined],
  ['the password of another version', password, { ...fresh, version: 1 }, 'wrong-password'],
  ['no password', Buffer.alloc(0), fresh, 'wrong-password'],
  ['the right password, revoked', password, { ...fresh, state: 'revoked' }, 'revoked'],
  ['the right password, retired', password, { ...fresh, state: 'retired' }, 'retired'],
  [
    'the right password at the server of other companies',
    password,
    { ...fresh, state: 'elsewhere' },
    'elsewhere',
  ],
  ['the right password of an unknown serial', password, { ...fresh, state: 'unknown' }, undefined],
  [
    'a wrong password of an unknown serial',
    Buffer.from('x'),
    { ...fresh, state: 'unknown' },
    'unknown-serial',
  ],
] as const)('%s is judged', (_case, given, access, refusal) => {
  expect(judgeSignIn(secret, identity, given, access)).toBe(refusal)
})

test('no two gateways, and no two versions, have the same password', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_.-]{1,6}$/)
  const login = fc.record({ tenant: part, gateway: part, version: fc.nat(12) })
  fc.assert(
    fc.property(login, login, (left, right) => {
      const isSame =
        left.tenant === right.tenant && left.gateway === right.gateway && left.version === right.version
      expect(
        toGatewayPassword(secret, left, left.version) === toGatewayPassword(secret, right, right.version),
      ).toBe(isSame)
    }),
  )
})

test('a gateway publishes and subscribes to its own topics only', () => {
  expect(mayPublish(identity, 'hx/v1/demo/n1/up/telemetry')).toBe(true)
  expect(maySubscribe(identity, 'hx/v1/demo/n1/down/#')).toBe(true)
  for (const foreign of [
    'hx/v1/demo/n10/up/telemetry',
    'hx/v1/other/n1/up/telemetry',
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
    'hx/v1/other/n1/down/cmd',
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
      expect(judgeSignIn(secret, identity, bytes, fresh)).toBe('wrong-password')
    }),
  )
})
