import { createHash, pbkdf2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toBrokerLogin } from '../../apps/server/src/platform/mqtt/broker-hashes.ts'
import { listUnfitForRabbit, toEmqx, toMosquitto, toRabbit } from './broker-files.ts'

const server = toBrokerLogin({ username: 'isotherm', password: 'of-the-server' })
const gateways = [
  { username: 'one/C-1', password: 'first' },
  { username: 'two/C-1', password: 'second' },
].map(toBrokerLogin)

test('Mosquitto gets a hash as mosquitto_passwd writes it, and the own topics of each gateway', () => {
  const { passwords, acl } = toMosquitto(gateways, server)
  const [, first = ''] = (passwords ?? '').split('\n')
  const [, user, rounds, salt = '', hash] = /^(.*):\$7\$(\d+)\$(.*)\$(.*)$/.exec(first) ?? []
  expect(user).toBe('one/C-1')
  const expected = pbkdf2Sync('first', Buffer.from(salt, 'base64'), Number(rounds), 64, 'sha512')
  expect(hash).toBe(expected.toString('base64'))
  expect(acl).toContain('user two/C-1\ntopic write hx/v1/two/C-1/up/#\ntopic read hx/v1/two/C-1/down/#\n')
})

test('EMQX gets hashes with the salt before the password', () => {
  const { 'users.csv': csv = '' } = toEmqx(gateways, server)
  const [head, ...rows] = csv.trim().split('\n')
  expect(head).toBe('user_id,password_hash,salt,is_superuser')
  const [, first = ''] = rows
  const [user, hash, salt, isSuperuser] = first.split(',')
  expect([user, isSuperuser]).toEqual(['one/C-1', 'false'])
  expect(hash).toBe(createHash('sha256').update(`${salt}first`).digest('hex'))
})

const definitions = z.object({
  topic_permissions: z.array(z.object({ user: z.string(), write: z.string(), read: z.string() })),
  permissions: z.array(z.object({ user: z.string(), configure: z.string() })),
})

test('RabbitMQ lets a gateway use its own topics and its own session only', () => {
  const { topic_permissions: topics, permissions } = definitions.parse(
    JSON.parse(toRabbit(gateways, server)['definitions.json'] ?? ''),
  )
  const own = topics.find(({ user }) => user === 'one/C-1')
  expect('hx.v1.one.C-1.up.telemetry').toMatch(new RegExp(own?.write ?? ''))
  expect('hx.v1.two.C-1.up.telemetry').not.toMatch(new RegExp(own?.write ?? ''))
  expect('hx.v1.one.C-1.down.#').toMatch(new RegExp(own?.read ?? ''))
  expect('hx.v1.*.C-1.down.#').not.toMatch(new RegExp(own?.read ?? ''))
  const queues = permissions.find(({ user }) => user === 'one/C-1')?.configure ?? ''
  expect('mqtt-subscription-one/C-1qos1').toMatch(new RegExp(queues))
  expect('mqtt-subscription-two/C-1qos1').not.toMatch(new RegExp(queues))
})

test('names with a dot do not fit RabbitMQ', () => {
  expect(listUnfitForRabbit([...gateways, toBrokerLogin({ username: 'one/C.2', password: '' })])).toEqual([
    'one/C.2',
  ])
})
