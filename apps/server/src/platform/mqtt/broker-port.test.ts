import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import type { BrokerPort, IncomingMessage, Refusal } from './broker-port.ts'
import { createEmbeddedBroker } from './embedded.mqtt.ts'
import { createExternalBroker } from './external.mqtt.ts'
import { toGatewayPassword } from './gateway-access.ts'

const secret = 'a secret of the tests only'
const log = createLog({ logLevel: 'silent' })
const externalUrl = process.env.MQTT_URL

interface Kind {
  readonly name: string
  create(replica?: string): BrokerPort
  urlOf(broker: BrokerPort): string
}

const embedded: Kind = {
  name: 'embedded',
  create() {
    const config = { host: '127.0.0.1', port: 0, isPlain: true, maxConnections: 100, maxPending: 100, secret }
    return createEmbeddedBroker(config, systemClock, log)
  },
  urlOf: (broker) => `mqtt://127.0.0.1:${broker.port}`,
}

/** Always the same session: a leftover session under another name would continue to receive its share of the messages. */
const external: Kind = {
  name: 'external',
  create: (replica = 'test') =>
    createExternalBroker({ url: `${externalUrl}?client=${replica}`, secret }, systemClock, log),
  urlOf: () => externalUrl ?? '',
}

/** A session of its own, because it also gets messages while no test runs. */
const plain: Kind = {
  name: 'external MQTT 3.1.1',
  create: () => {
    const url = `${externalUrl}?version=4&client=test-plain-${process.pid}`
    return createExternalBroker({ url, secret }, systemClock, log)
  },
  urlOf: () => externalUrl ?? '',
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(kind: Kind, store: (message: IncomingMessage) => Promise<void>, replica?: string) {
  const broker = kind.create(replica)
  const refusals: Refusal[] = []
  const delivered: string[] = []
  const received: string[] = []
  await broker.start({
    findAccess: async () => ({ state: 'in-use', version: 0 }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: () => undefined,
    store,
    onDelivered: (_topic, payload) => delivered.push(Buffer.from(payload).toString()),
    onRefused: (refusal) => refusals.push(refusal),
    onReplicaMessage: (body) => received.push(Buffer.from(body).toString()),
    onReplicaGap: () => received.push('missed'),
  })
  closers.push(() => broker.close())
  const connect = async (gateway: string, reconnectPeriod = 100): Promise<MqttClient> => {
    const username = toMqttUsername('demo', gateway)
    const password = toGatewayPassword(secret, { tenant: 'demo', gateway })
    const client = await connectAsync(kind.urlOf(broker), {
      clientId: username,
      username,
      password,
      reconnectPeriod,
    })
    closers.unshift(() => client.endAsync(true))
    return client
  }
  return { broker, connect, refusals, delivered, received }
}

const toText = ({ payload }: IncomingMessage): string => Buffer.from(payload).toString()
const topic = toUpTopic('demo', 'n1', 'telemetry')

/** The same tests for all brokers; the external ones run only with MQTT_URL. */
describe.each([embedded, external, plain])('$name broker', (kind) => {
  const each = test.skipIf(kind !== embedded && externalUrl === undefined)

  each('receives a message; the embedded broker acknowledges it only once it is stored', async () => {
    const stored = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<string>()
    const { connect } = await start(kind, async (message) => {
      if (toText(message) !== 'reading') return
      arrived.resolve(message.topic)
      await stored.promise
    })
    const client = await connect('n1')
    let acknowledged = false
    const published = client.publishAsync(topic, 'reading', { qos: 1 }).then(() => {
      acknowledged = true
    })
    expect(await arrived.promise).toBe(topic)
    if (kind === embedded) {
      // The ping follows the message, so an early acknowledgement would arrive before its answer.
      const next = new Promise((resolve) => client.once('packetreceive', ({ cmd }) => resolve(cmd)))
      client.sendPing()
      expect(await next).toBe('pingresp')
      expect(acknowledged).toBe(false)
    }
    stored.resolve()
    await published
  })

  each('hands over messages side by side, so that one commit can take many', async () => {
    // With MQTT 3.1.1 Mosquitto hands over 20 at a time unless its settings say more.
    const width = kind === plain ? 20 : 50
    let waiting = 0
    const all = Promise.withResolvers<void>()
    const { connect } = await start(kind, async (message) => {
      if (!toText(message).startsWith('one of fifty')) return
      waiting += 1
      if (waiting === width) all.resolve()
      await all.promise
    })
    const client = await connect('n1')
    await Promise.all(
      Array.from({ length: width }, (_, i) => client.publishAsync(topic, `one of fifty: ${i}`, { qos: 1 })),
    )
    // An external broker acknowledges to the device itself. The test checks that all reach us at once.
    await expect.poll(() => waiting).toBe(width)
  })

  each('brings a message again that could not be stored', async () => {
    const attempts: string[] = []
    const arrivals: (number | undefined)[] = []
    const { connect } = await start(kind, async (message) => {
      if (toText(message) !== 'hard to store') return
      attempts.push(toText(message))
      arrivals.push(message.receivedAt)
      if (attempts.length === 1) throw new Error('the store is unavailable')
    })
    const client = await connect('n1')
    await client.publishAsync(topic, 'hard to store', { qos: 1 })
    await expect.poll(() => attempts).toEqual(['hard to store', 'hard to store'])
    // The external broker's message is retried here and arrives once; with the embedded broker the device sends it again.
    expect(arrivals[1]).toBe(arrivals[0])
    expect(arrivals[0] === undefined).toBe(kind === embedded)
  })

  each('brings a message to a device', async () => {
    const { broker, connect } = await start(kind, async () => undefined)
    const client = await connect('n1')
    const command = toDownTopic('demo', 'n1', 'cmd')
    const received = new Promise((resolve) =>
      client.once('message', (_topic, payload) => resolve(payload.toString())),
    )
    await client.subscribeAsync('hx/v1/demo/n1/down/#', { qos: 1 })
    await broker.publish(command, 'open', 1)
    expect(await received).toBe('open')
  })
})

test.skipIf(externalUrl === undefined)(
  'replicas on one broker receive the messages of the others, and a gap notice at the start',
  async () => {
    const one = await start(external, async () => undefined, 'test')
    const two = await start(external, async () => undefined, 'test-two')
    expect([one.received, two.received]).toEqual([['missed'], ['missed']])
    one.broker.sendToReplicas?.(Buffer.from('first'))
    one.broker.sendToReplicas?.(Buffer.from('second'))
    await expect.poll(() => two.received).toEqual(['missed', 'first', 'second'])
    two.broker.sendToReplicas?.(Buffer.from('third'))
    await expect.poll(() => one.received).toEqual(['missed', 'third'])
  },
)

test('the embedded broker reports when a device has acknowledged a message', async () => {
  const { broker, connect, delivered } = await start(embedded, async () => undefined)
  const client = await connect('n1')
  await client.subscribeAsync('hx/v1/demo/n1/down/cmd', { qos: 1 })
  await broker.publish(toDownTopic('demo', 'n1', 'cmd'), 'open', 1)
  await expect.poll(() => delivered).toEqual(['open'])
})

test('the embedded broker refuses strangers, foreign topics and foreign subscriptions', async () => {
  const stored: string[] = []
  const { broker, connect, refusals } = await start(embedded, async (message) => {
    stored.push(message.topic)
  })
  const url = embedded.urlOf(broker)
  const login = { clientId: 'demo/n1', username: 'demo/n1', reconnectPeriod: 0 }
  await expect(connectAsync(url, { ...login, password: 'guess' })).rejects.toThrow()
  const client = await connect('n1', 0)
  const granted = await client.subscribeAsync('hx/v1/demo/n2/down/cmd', { qos: 1 }).catch(() => 'refused')
  expect(granted).toBe('refused')
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish(toUpTopic('demo', 'n2', 'telemetry'), '{}', { qos: 1 }, () => undefined)
  await closed
  expect(stored).toEqual([])
  const sender = { tenant: 'demo', gateway: 'n1', user: 'demo/n1', address: '127.0.0.1' }
  expect(refusals).toEqual([
    { ...sender, reason: 'not-authenticated', detail: 'wrong-password' },
    { ...sender, reason: 'subscribe-denied', detail: 'hx/v1/demo/n2/down/cmd' },
    { ...sender, reason: 'publish-denied', detail: 'hx/v1/demo/n2/up/telemetry' },
  ])
})
