import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import fc from 'fast-check'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, expect, test } from 'vitest'
import { type Broker, type BrokerHandlers, type BrokerOptions, startBroker } from './broker.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

async function start(handlers: Partial<BrokerOptions> = {}): Promise<Broker> {
  const broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: () => true,
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => {},
    ...handlers,
  })
  open.push(broker)
  return broker
}

async function connect(broker: Broker, options: mqtt.IClientOptions = {}): Promise<MqttClient> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    clientId: 'n1',
    reconnectPeriod: 0,
    protocolVersion: 4,
    ...options,
  })
  client.on('error', () => {})
  open.push({ close: () => client.endAsync(true) })
  return client
}

const closeOf = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve))

const message = (topic: string, text: string) => ({
  topic,
  payload: Buffer.from(text),
  qos: 1 as const,
  retain: false,
})

test('PUBACK is sent only after the message is stored', async () => {
  const stored = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<string>()
  const broker = await start({
    store: (sent) => {
      arrived.resolve(sent.payload.toString())
      return stored.promise
    },
  })
  const client = await connect(broker)
  let acknowledged = false
  const publishing = client.publishAsync('up/a', 'one', { qos: 1 }).then(() => {
    acknowledged = true
  })
  expect(await arrived.promise).toBe('one')
  // A round trip of another client gives a too early PUBACK time to arrive.
  const other = await connect(broker, { clientId: 'n2' })
  await other.subscribeAsync('down/a')
  expect(acknowledged).toBe(false)
  stored.resolve()
  await publishing
})

test('the messages of one connection are stored concurrently and in order', async () => {
  const topics: string[] = []
  const all = Promise.withResolvers<void>()
  const broker = await start({
    store: async ({ topic }) => {
      topics.push(topic)
      if (topics.length === 20) all.resolve()
      await all.promise
    },
  })
  const client = await connect(broker)
  const sent = Array.from({ length: 20 }, (_, i) => `up/${i}`)
  await Promise.all(sent.map((topic) => client.publishAsync(topic, 'x', { qos: 1 })))
  expect(topics).toEqual(sent)
})

test('a message that cannot be stored is not acknowledged and its connection closes', async () => {
  const refusals: string[] = []
  const broker = await start({
    store: () => Promise.reject(new Error('disk full')),
    onRefused: (reason, detail, client) => refusals.push(`${reason} ${detail} ${client?.id}`),
  })
  const client = await connect(broker)
  let acknowledged = false
  client.publish('up/a', 'one', { qos: 1 }, (error) => {
    acknowledged = !error
  })
  await closeOf(client)
  expect(acknowledged).toBe(false)
  expect(refusals).toEqual(['not-stored disk full n1'])
})

test('a client must send its password, and is refused as "unavailable" if it cannot be checked', async () => {
  const broker = await start({
    authenticate: async ({ user, id }, password) => {
      if (user === 'down') throw new Error('no database')
      return user === 't:n1' && id === 'n1' && password === 'right'
    },
  })
  await connect(broker, { username: 't:n1', password: 'right' })
  await expect(connect(broker, { username: 't:n1', password: 'wrong' })).rejects.toMatchObject({ code: 5 })
  await expect(connect(broker, { username: 'down', password: 'x' })).rejects.toMatchObject({ code: 3 })
})

test('a forbidden publish closes the connection and stores nothing', async () => {
  const stored: string[] = []
  const broker = await start({
    mayPublish: (client, topic) => topic.startsWith(`up/${client.id}/`),
    store: async ({ topic }) => {
      stored.push(topic)
    },
  })
  const client = await connect(broker)
  await client.publishAsync('up/n1/a', 'x', { qos: 1 })
  client.publish('up/n2/a', 'x', { qos: 1 })
  await closeOf(client)
  expect(stored).toEqual(['up/n1/a'])
})

test('a forbidden subscription is answered with a failure and receives nothing', async () => {
  const broker = await start({ maySubscribe: (_, filter) => filter === 'down/n1' })
  const client = await connect(broker)
  const got: string[] = []
  client.on('message', (topic) => got.push(topic))
  await expect(client.subscribeAsync('down/n2')).rejects.toThrow()
  await client.subscribeAsync('down/n1', { qos: 1 })
  await broker.publish(message('down/n2', 'no'))
  const received = new Promise((resolve) => client.once('message', resolve))
  await broker.publish(message('down/n1', 'yes'))
  await received
  expect(got).toEqual(['down/n1'])
})

test.each([true, false])(
  'the acknowledgement of a subscriber names its message (clean session: %s)',
  async (clean) => {
    const delivered: string[] = []
    const three = Promise.withResolvers<void>()
    const broker = await start({
      onDelivered: ({ topic, payload }, client) => {
        delivered.push(`${client.id} ${topic} ${payload}`)
        if (delivered.length === 3) three.resolve()
      },
    })
    const client = await connect(broker, { clean })
    await client.subscribeAsync('down/#', { qos: 1 })
    for (const text of ['1', '2', '3']) await broker.publish(message(`down/${text}`, text))
    await three.promise
    expect(delivered).toEqual(['n1 down/1 1', 'n1 down/2 2', 'n1 down/3 3'])
  },
)

test('messages of a persistent session are delivered and reported after the client reconnects', async () => {
  const delivered = Promise.withResolvers<string>()
  const broker = await start({ onDelivered: ({ topic }) => delivered.resolve(topic) })
  const client = await connect(broker, { clean: false })
  await client.subscribeAsync('down/a', { qos: 1 })
  await client.endAsync()
  await broker.publish(message('down/a', 'later'))
  await connect(broker, { clean: false })
  expect(await delivered.promise).toBe('down/a')
})

test('a forbidden filter beside an allowed one is not stored for a persistent session either', async () => {
  const broker = await start({ maySubscribe: (_, filter) => filter === 'down/n1' })
  const client = await connect(broker, { clean: false })
  const granted = await client.subscribeAsync({ 'down/n1': { qos: 1 }, 'down/#': { qos: 1 } }).catch(() => [])
  expect(granted.filter(({ topic, qos }) => topic === 'down/#' && qos < 128)).toEqual([])
  await client.endAsync()
  await broker.publish(message('down/n2', 'no'))
  await broker.publish(message('down/n1', 'yes'))
  const got: string[] = []
  const received = Promise.withResolvers<void>()
  const again = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    clientId: 'n1',
    clean: false,
    reconnectPeriod: 0,
  })
  open.push({ close: () => again.endAsync(true) })
  again.on('message', (topic) => {
    got.push(topic)
    if (topic === 'down/n1') received.resolve()
  })
  await received.promise
  expect(got).toEqual(['down/n1'])
})

test('at most the limit of messages is stored for an absent client, and there is space again after it reconnects', async () => {
  const refusals: string[] = []
  const delivered: string[] = []
  const broker = await start({
    maxQueuedPerClient: 2,
    onRefused: (reason, detail) => refusals.push(`${reason} ${detail}`),
    onDelivered: ({ topic }) => delivered.push(topic),
  })
  const leave = async (client: MqttClient, ...topics: string[]) => {
    await client.endAsync()
    for (const topic of topics) await broker.publish(message(topic, 'x'))
  }
  const first = await connect(broker, { clean: false })
  await first.subscribeAsync('down/#', { qos: 1 })
  await leave(first, 'down/1', 'down/2', 'down/3')
  expect(refusals).toEqual(['queue-full n1'])
  const second = await connect(broker, { clean: false })
  await expect.poll(() => delivered).toEqual(['down/1', 'down/2'])
  // The round trip comes after the PUBACKs on the same connection.
  await second.publishAsync('up/a', 'x', { qos: 1 })
  await leave(second, 'down/4')
  await connect(broker, { clean: false })
  await expect.poll(() => delivered).toEqual(['down/1', 'down/2', 'down/4'])
})

test('a publish at QoS 2 is refused', async () => {
  const stored: string[] = []
  const broker = await start({
    store: async ({ topic }) => {
      stored.push(topic)
    },
  })
  const client = await connect(broker)
  client.publish('up/a', 'x', { qos: 2 })
  await closeOf(client)
  expect(stored).toEqual([])
})

test('connects and disconnects are reported, and a second connection with the same id takes over', async () => {
  const events: string[] = []
  const gone = Promise.withResolvers<void>()
  const broker = await start({
    onConnected: ({ id }) => events.push(`+${id}`),
    onDisconnected: ({ id }) => {
      events.push(`-${id}`)
      if (events.length === 4) gone.resolve()
    },
  })
  const first = await connect(broker)
  const closed = closeOf(first)
  const second = await connect(broker)
  await closed
  expect(broker.isConnected('n1')).toBe(true)
  await second.endAsync()
  await gone.promise
  expect(events).toEqual(['+n1', '-n1', '+n1', '-n1'])
  expect(broker.isConnected('n1')).toBe(false)
})

test('a packet above the limit closes the connection and is counted', async () => {
  const refusals: string[] = []
  const broker = await start({ onRefused: (reason) => refusals.push(reason) })
  const client = await connect(broker)
  await client.publishAsync('up/a', Buffer.alloc(200 * 1024), { qos: 1 })
  client.publish('up/a', Buffer.alloc(256 * 1024), { qos: 1 })
  await closeOf(client)
  expect(refusals).toEqual(['too-large'])
})

test('no bytes of an unknown or known client end the broker', async () => {
  const broker = await start()
  const hello = Buffer.from('101000044d5154540402003c00046e313031', 'hex')
  const send = async (bytes: Uint8Array) => {
    const socket = connectSocket(broker.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.end(bytes)
    socket.resume()
    await once(socket, 'close')
  }
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.uint8Array({ maxLength: 200 }), async (signedIn, bytes) => {
      await send(signedIn ? Buffer.concat([hello, bytes]) : bytes)
    }),
    { numRuns: 300 },
  )
  const client = await connect(broker, { clientId: 'after' })
  await client.publishAsync('up/a', 'still here', { qos: 1 })
})

test('a port in use gives one clear line', async () => {
  const broker = await start()
  const again = startBroker({ ...anything, host: '127.0.0.1', port: broker.port })
  await expect(again).rejects.toThrow(`MQTT port ${broker.port} of 127.0.0.1 is taken`)
})

const anything: BrokerHandlers = {
  authenticate: () => true,
  mayPublish: () => true,
  maySubscribe: () => true,
  store: async () => {},
}

test('connections above the maximum are closed and counted; when one ends, the next is taken', async () => {
  const refusals: string[] = []
  const broker = await start({ maxConnections: 1, onRefused: (reason) => refusals.push(reason) })
  const first = await connect(broker)
  await once(connectSocket(broker.port, '127.0.0.1').resume(), 'close')
  expect(refusals).toEqual(['too-many-connections'])
  await first.endAsync()
  await expect.poll(() => broker.connectedClients).toBe(0)
  expect((await connect(broker, { clientId: 'n2', reconnectPeriod: 50 })).connected).toBe(true)
})
