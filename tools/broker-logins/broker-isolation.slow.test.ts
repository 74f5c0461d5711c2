import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import { connectAsync } from 'mqtt'
import { expect, test } from 'vitest'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { toBrokerLogin } from '../../apps/server/src/platform/mqtt/broker-hashes.ts'
import { createExternalBroker } from '../../apps/server/src/platform/mqtt/external.mqtt.ts'
import {
  describeIsolation,
  logins,
  type TestedBroker,
} from '../../apps/server/src/platform/mqtt/gateway-isolation.testkit.ts'
import { hasMosquitto, startMosquitto } from '../../apps/server/src/platform/mqtt/mosquitto.testkit.ts'
import { toMosquitto, toRabbit } from './broker-files.ts'
import { hasRabbit, startRabbit } from './rabbitmq.testkit.ts'

const server = { username: 'isotherm', password: 'server-password' }
const hashed = logins.map(toBrokerLogin)

/** The settings of the recipe that are not about this machine. */
function readSettings(): readonly string[] {
  const page = readFileSync(
    join(import.meta.dirname, '../../docs/recipes/connect-gateways-through-rabbitmq.md'),
    'utf8',
  )
  const block = page.split('```').find((part) => part.trimStart().startsWith('# rabbitmq.conf'))
  if (block === undefined) throw new Error('the recipe has no rabbitmq.conf')
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(#|mqtt\.listeners|load_definitions)/.test(line))
}

/** A broker and the server's client at it. */
async function connectServer(url: string, close: () => Promise<void>): Promise<TestedBroker> {
  const client = await connectAsync(url, { clientId: 'isotherm-test', ...server, protocolVersion: 4 })
  return {
    url,
    async send(topic, text) {
      await client.publishAsync(topic, text, { qos: 1 })
    },
    async close() {
      await client.endAsync(true)
      await close()
    },
  }
}

async function startWithRules(): Promise<TestedBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-broker-'))
  for (const [name, text] of Object.entries(toMosquitto(hashed, toBrokerLogin(server))))
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  const broker = await startMosquitto([
    'allow_anonymous false',
    `password_file ${join(folder, 'passwords')}`,
    `acl_file ${join(folder, 'acl')}`,
    'use_username_as_clientid true',
  ])
  return connectServer(broker.url, async () => {
    await broker.close()
    rmSync(folder, { recursive: true })
  })
}

const startByDefinitions = () =>
  startRabbit(readSettings(), toRabbit(hashed, toBrokerLogin(server))['definitions.json'] ?? '')

describeIsolation({
  name: 'Mosquitto, with rules by user name,',
  isThere: hasMosquitto,
  runs: 10,
  takesOldClientIds: true,
  start: startWithRules,
})

describeIsolation({
  name: 'RabbitMQ',
  isThere: hasRabbit,
  runs: 10,
  takesOldClientIds: false,
  endsForeign: true,
  async start() {
    const { url, close } = await startByDefinitions()
    return connectServer(url, close)
  },
})

test.skipIf(!hasRabbit)('the server exchanges messages with a gateway through RabbitMQ', async () => {
  const rabbit = await startByDefinitions()
  const [gateway] = logins
  if (!gateway) throw new Error('no gateway')
  const url = rabbit.url.replace('//', `//${server.username}:${server.password}@`)
  const log = createLog({ logLevel: 'silent' })
  const broker = createExternalBroker({ url: `${url}?version=4`, secret: 'of the tests' }, systemClock, log)
  const stored: string[] = []
  let attempts = 0
  await broker.start({
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    async store({ topic, payload }) {
      attempts += 1
      if (attempts === 1) throw new Error('the store is away')
      stored.push(`${topic} ${Buffer.from(payload)}`)
    },
    onDelivered: () => undefined,
    onRefused: () => undefined,
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  })
  const client = await connectAsync(rabbit.url, { ...gateway, clientId: gateway.username })
  const received: string[] = []
  client.on('message', (_topic, payload) => received.push(payload.toString()))
  await client.subscribeAsync(`hx/v1/${gateway.username}/down/#`, { qos: 1 })
  await client.publishAsync(toUpTopic('one', 'C-1', 'telemetry'), 'reading', { qos: 1 })
  await expect.poll(() => stored).toEqual(['hx/v1/one/C-1/up/telemetry reading'])
  await broker.publish(toDownTopic('one', 'C-1', 'cmd'), 'open', 1)
  await expect.poll(() => received).toEqual(['open'])
  await client.endAsync()
  await broker.close()
  await rabbit.close()
})
