import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { upChannels } from '@isotherm/contract/mqtt'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { z } from 'zod'
import { DEMO_PASSWORD, toClientHash } from '../session/index.ts'
import { createGarbage } from './garbage.testkit.ts'
import { startTestServer, type TestServer } from './server.testkit.ts'

const CONCENTRATORS = 10
const MQTT_MESSAGES = 92_000
/** The limit of calls per minute and address, so that each call is read and none is refused before that. */
const HTTP_BODIES = 5_000
const SOCKET_MESSAGES = 2_400
const FOREIGN_PUBLISHES = 300
const STRANGERS = 400

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(CONCENTRATORS)
})
afterAll(() => server.close())

/** Runs `work` for 0 to count - 1, several at the same time. */
async function repeat(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const ruleSet = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: width }, ruleSet))
}

/** Resolves after the connection ends, in whatever way. */
const waitForEnd = (connection: {
  on(event: 'close' | 'error', listener: () => void): unknown
}): Promise<void> =>
  new Promise((resolve) => {
    connection.on('error', () => undefined)
    connection.on('close', () => resolve())
  })

async function readMetric(name: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.httpUrl()}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return new Map(lines.map((line) => [/="([^"]*)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]))
}

async function readCounter(name: string): Promise<number> {
  const text = await (await fetch(`${server.httpUrl()}/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)

async function count(query: string): Promise<number> {
  const answer = await server.clickhouse.query({ query, format: 'JSONCompactEachRow' })
  const [row] = z.array(z.tuple([z.coerce.number()])).parse(await answer.json())
  return row?.[0] ?? 0
}

async function sendGarbageToBroker(): Promise<void> {
  const garbage = createGarbage(MQTT_MESSAGES)
  const clients = await Promise.all(
    Array.from({ length: CONCENTRATORS }, (_, index) => server.connect(index)),
  )
  await repeat(MQTT_MESSAGES, 1_000, async (index) => {
    const gateway = index % CONCENTRATORS
    const channel = upChannels[Math.floor(index / CONCENTRATORS) % upChannels.length]
    const payload = garbage[index] ?? Buffer.alloc(0)
    await clients[gateway]?.publishAsync(`hx/v1/demo/n${gateway}/up/${channel}`, payload, { qos: 1 })
  })
  for (const client of clients) await client.endAsync()
}

/** Foreign topics, unknown channels, packets beyond the broker's limit: for each of them the client is disconnected. */
async function publishForeign(): Promise<void> {
  const topics = [
    'hx/v1/demo/n1/up/telemetry',
    'hx/v1/demo/n0/down/cmd',
    'hx/v1/demo/n0/up/other',
    'a',
    '$SYS/x',
  ]
  await repeat(FOREIGN_PUBLISHES, 1, async (index) => {
    const client = await server.connect(0)
    const ended = waitForEnd(client)
    const payload = index % 10 === 9 ? Buffer.alloc(300 * 1024) : Buffer.from('{}')
    const topic = index % 10 === 9 ? 'hx/v1/demo/n0/up/telemetry' : (topics[index % topics.length] ?? 'a')
    client.publish(topic, payload, { qos: 1 }, () => undefined)
    await ended
    client.end(true)
  })
}

/** Bytes that are not MQTT, and clients that are not registered. */
async function sendStrangers(): Promise<void> {
  const garbage = createGarbage(STRANGERS)
  await repeat(STRANGERS, 20, async (index) => {
    if (index % 4 === 0) {
      const username = `demo:n${index % 10}`
      const options = { username, password: String(index), clientId: `n${index % 10}`, reconnectPeriod: 0 }
      await expect(connectAsync(server.mqttUrl(), options)).rejects.toThrow()
      return
    }
    const { port, hostname } = new URL(server.mqttUrl())
    const socket = connectTcp(Number(port), hostname)
    const ended = waitForEnd(socket)
    socket.end(garbage[index] ?? '')
    await ended
  })
}

/** Sign-ins of this address wait after wrong ones, and some of the garbage was wrong sign-ins. */
const slowed = z.object({
  code: z.literal('session.slowed'),
  params: z.object({ retryAfterS: z.number() }),
})
const signedIn = z.object({ data: z.object({ token: z.string().optional(), data: z.string().optional() }) })

/** Headers of an account that may call everything: the body of a stranger is not read. */
async function signIn(): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'admin', password: toClientHash(DEMO_PASSWORD) })
  const headers = { 'content-type': 'application/json' }
  const [first, second] = await Promise.all(
    [endpoints.login, endpoints.tokenLogin].map(async (endpoint) => {
      const url = `${server.httpUrl()}${toUrlPath(endpoint)}`
      for (;;) {
        const answer: unknown = await (await fetch(url, { method: 'POST', headers, body })).json()
        const wait = slowed.safeParse(answer)
        if (!wait.success) return signedIn.parse(answer).data
        await new Promise((resolve) => setTimeout(resolve, wait.data.params.retryAfterS * 1_000))
      }
    }),
  )
  return { ...headers, token: first?.token ?? '', authorization: `Bearer ${second?.data}` }
}

async function sendBodies(): Promise<void> {
  const garbage = createGarbage(HTTP_BODIES)
  const urls = Object.values(endpoints).map((endpoint) => `${server.httpUrl()}${toUrlPath(endpoint)}`)
  const failures: number[] = []
  let session = signIn()
  let unread = 0
  await repeat(HTTP_BODIES, 20, async (index) => {
    const used = session
    const answer = await fetch(urls[index % urls.length] ?? '', {
      method: 'POST',
      headers: await used,
      body: new Uint8Array(garbage[index] ?? []),
    })
    const text = await answer.text()
    if (answer.status >= 500) failures.push(answer.status)
    if (!text.includes('"code":"session.')) return
    unread += 1
    // Some bodies are a logout.
    if (used === session) session = signIn()
  })
  expect(failures).toEqual([])
  expect(unread).toBeLessThan(HTTP_BODIES / 20)
}

async function sendToLivePush(): Promise<void> {
  const garbage = createGarbage(SOCKET_MESSAGES)
  const perSocket = 40
  const { authorization = '' } = await signIn()
  const hello = JSON.stringify({ type: 'hello', token: authorization.replace('Bearer ', '') })
  let received = 0
  await repeat(SOCKET_MESSAGES / perSocket, 4, async (index) => {
    const socket = new WebSocket(`${server.httpUrl().replace('http', 'ws')}/live`)
    await once(socket, 'open')
    let answers = 0
    const answered = new Promise<void>((resolve) => {
      socket.on('message', () => {
        answers += 1
        received += 1
        if (answers === perSocket + 1) resolve()
      })
      socket.on('close', () => resolve())
    })
    // A stranger has one message.
    socket.send(hello)
    for (const message of garbage.slice(index * perSocket, (index + 1) * perSocket))
      socket.send(message.toString())
    await answered
    socket.terminate()
  })
  expect(received).toBe(SOCKET_MESSAGES + SOCKET_MESSAGES / perSocket)
}

async function sendGood(seq: number): Promise<void> {
  const client = await server.connect(0)
  const ts = Date.now()
  const message = { v: 1, boot: 1_000, seq, ts, d: [{ id: 'n0s', ts, m: { 'temp.room': 21 } }] }
  await client.publishAsync('hx/v1/demo/n0/up/telemetry', JSON.stringify(message), { qos: 1 })
  await client.endAsync()
}

test('100,000 messages and bodies of garbage: no crash, none is stored, all are counted by reason', {
  timeout: 240_000,
}, async () => {
  await sendGood(0)
  await sendGarbageToBroker()
  await publishForeign()
  await sendStrangers()
  await sendBodies()
  await sendToLivePush()
  await sendGood(1)

  expect(server.isAlive()).toBe(true)
  expect(await count('SELECT count() FROM readings')).toBe(2)

  const quarantined = await readMetric('isotherm_ingest_quarantined_total')
  // A message that repeats a number of its gateway is a duplicate before its content is read.
  const duplicates = await readCounter('isotherm_ingest_duplicates_total')
  // Bytes on up/raw are not garbage: all bytes of a bus are a frame.
  const frames = await readCounter('isotherm_ingest_raw_frames_total')
  expect(sum(quarantined) + duplicates + frames).toBeGreaterThanOrEqual(MQTT_MESSAGES)
  expect([...quarantined.keys()].toSorted()).toEqual(
    [
      'ancient-instant',
      'foreign-topic',
      'future-instant',
      'malformed-json',
      'no-values',
      'oversize',
      'unknown-device',
      'unknown-metric',
      'wrong-schema',
    ].toSorted(),
  )
  const refused = await readMetric('isotherm_broker_refused_total')
  for (const reason of ['publish-denied', 'too-large', 'not-authenticated']) {
    expect(refused.get(reason), reason).toBeGreaterThan(0)
  }

  // Every reason is in the quarantine, and the flood did not fill the store.
  const stored = await count('SELECT count() FROM quarantine')
  expect(await count('SELECT uniqExact(reason) FROM quarantine')).toBe(quarantined.size)
  expect(stored).toBeLessThan(1_000)
})
