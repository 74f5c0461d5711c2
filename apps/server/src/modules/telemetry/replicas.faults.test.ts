import { setTimeout as pause } from 'node:timers/promises'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type AckMessage, ackMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { connectAsync, type MqttClient } from 'mqtt'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { hasMosquitto, startMosquitto } from '../../platform/mqtt/mosquitto.testkit.ts'
import { DEMO_PASSWORD, toClientHash } from '../session/index.ts'
import { createTestField, endProcess, launchServer, type TestField } from './server.testkit.ts'

/** The whole form is 60 s; every run of the tests has a shorter one. */
const SECONDS = Number(process.env.ISOTHERM_FAULT_SECONDS ?? 5)
const MESSAGES_PER_S = SECONDS >= 30 ? 1_000 : 400
const TOTAL = SECONDS * MESSAGES_PER_S
const NODES = 10
/** One of the replicas is killed when these shares of the load were sent. */
const KILLS = SECONDS >= 30 ? [0.3, 0.5, 0.7] : [0.5]
const AWAY_MS = 500
const TICK_MS = 20
const SETTLED = { timeout: 120_000, interval: 200 }

/** Every message has an instant of its own: readings of one device, metric and instant are one reading. */
const toMessage = (index: number, seq: number, startedAt: number): string => {
  const ts = startedAt + seq * 10
  const child = { id: `n${index}s`, ts, m: { 'temp.room': 20 + (seq % 10), 'bat.v': 3.6 } }
  return JSON.stringify({ v: 1, boot: index + 1, seq, ts, d: [child] })
}

/** Servers on the same stores and the same broker. */
async function startReplicas(field: TestField, brokerUrl: string, names: readonly string[]) {
  const launch = (name: string) =>
    launchServer({ ...field.env, MQTT_URL: `${brokerUrl}?client=${name}`, ISOTHERM_PORT: '0' })
  const running = new Map<string, Awaited<ReturnType<typeof launch>>>()
  for (const name of names) running.set(name, await launch(name))
  return {
    bases: () => [...running.values()].map(({ port }) => `http://127.0.0.1:${port}`),
    async killForAWhile(name: string) {
      const server = running.get(name)
      if (server) await endProcess(server.child, 'SIGKILL')
      await pause(AWAY_MS)
      running.set(name, await launch(name))
    },
    close: () => Promise.all([...running.values()].map(({ child }) => endProcess(child, 'SIGTERM'))),
  }
}

const issued = z.object({ data: z.object({ data: z.string() }) })
const states = z.object({
  data: z.object({
    datalist: z.array(z.object({ deviceId: z.number(), ts: z.number(), metrics: z.unknown() })),
  }),
})

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Signs in at one replica; gives how to read the newest values of any. */
async function signIn(base: string) {
  const credentials = { username: 'admin', password: toClientHash(DEMO_PASSWORD) }
  const first = await post(`${base}${toUrlPath(endpoints.login)}`, {}, credentials)
  const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const second = await post(`${base}${toUrlPath(endpoints.tokenLogin)}`, { Cookie }, credentials)
  const Authorization = `Bearer ${issued.parse(await second.json()).data.data}`
  return async (of: string) => {
    const input = { nodes: [ROOT_KEY], kinds: ['room-sensor'], limiter: { page: 1, size: 100 } }
    const url = `${of}${toUrlPath(endpoints.getDataLastFromNodeList)}`
    return states.parse(await (await post(url, { Authorization }, input)).json()).data.datalist
  }
}

/** A concentrator on the broker, which notes up to what it may forget. */
async function connectNode(brokerUrl: string, index: number, watermarks: Map<number, AckMessage>) {
  const client = await connectAsync(brokerUrl, { clientId: `n${index}`, clean: false, reconnectPeriod: 200 })
  client.on('message', (_topic, payload) => {
    watermarks.set(index, ackMessage.parse(JSON.parse(payload.toString())))
  })
  await client.subscribeAsync(toDownTopic('demo', `n${index}`, 'ack'), { qos: 1 })
  return client
}

const counted = z.array(z.tuple([z.number(), z.coerce.number()]))

/** Messages that are stored of each boot, and all rows there are, as often as they are. */
async function readStored(field: TestField) {
  const read = async (query: string) => {
    const answer = await field.clickhouse.query({ query, format: 'JSONCompactEachRow' })
    return counted.parse(await answer.json())
  }
  return {
    messages: await read('SELECT boot, uniqExact(seq) FROM readings GROUP BY boot ORDER BY boot'),
    rows: await read('SELECT boot, count() FROM readings FINAL GROUP BY boot ORDER BY boot'),
    unfolded: (await read('SELECT toUInt32(0), count() FROM readings'))[0]?.[1] ?? 0,
  }
}

async function send(clients: readonly MqttClient[], kill: () => Promise<void>): Promise<void> {
  const pending: Promise<unknown>[] = []
  const kills: Promise<void>[] = []
  const startedAt = Date.now()
  const beganAt = performance.now()
  for (let sent = 0; sent < TOTAL; ) {
    const due = Math.min(TOTAL, Math.floor(((performance.now() - beganAt) / 1_000) * MESSAGES_PER_S))
    for (; sent < due; sent += 1) {
      const [index, seq] = [sent % NODES, Math.floor(sent / NODES)]
      const payload = toMessage(index, seq, startedAt)
      pending.push(
        Promise.resolve(
          clients[index]?.publishAsync(toUpTopic('demo', `n${index}`, 'telemetry'), payload, { qos: 1 }),
        ),
      )
    }
    if (sent >= TOTAL * (KILLS[kills.length] ?? Number.POSITIVE_INFINITY)) {
      await Promise.all(kills)
      kills.push(kill())
    }
    await pause(TICK_MS)
  }
  await Promise.all([...kills, ...pending])
  expect(kills).toHaveLength(KILLS.length)
}

test.skipIf(!hasMosquitto)(
  `one of three replicas is killed at ${MESSAGES_PER_S} messages/s: what the broker took is stored exactly once, and all replicas know it`,
  { timeout: (SECONDS + 240) * 1_000 },
  async ({ annotate }) => {
    const broker = await startMosquitto()
    const field = await createTestField(NODES)
    const replicas = await startReplicas(field, broker.url, ['a', 'b', 'c'])
    const watermarks = new Map<number, AckMessage>()
    const clients: MqttClient[] = []
    try {
      for (let index = 0; index < NODES; index += 1) {
        clients.push(await connectNode(broker.url, index, watermarks))
      }
      await send(clients, () => replicas.killForAWhile('b'))

      const perNode = TOTAL / NODES
      const all = clients.map((_, index) => [index + 1, perNode])
      await expect.poll(async () => (await readStored(field)).messages, SETTLED).toEqual(all)
      const { rows, unfolded } = await readStored(field)
      expect(rows).toEqual(clients.map((_, index) => [index + 1, perNode * 2]))
      await annotate(
        `${TOTAL} messages acknowledged and stored; ${unfolded - TOTAL * 2} rows came twice and are folded`,
      )

      const last = clients.map((_, index) => [index, { boot: index + 1, seq: perNode - 1 }])
      await expect.poll(() => [...watermarks].toSorted(([a], [b]) => a - b), SETTLED).toEqual(last)

      const [first = '', ...others] = replicas.bases()
      const readStates = await signIn(first)
      const known = await readStates(first)
      expect(known).toHaveLength(NODES)
      for (const base of others) await expect.poll(() => readStates(base), SETTLED).toEqual(known)
    } finally {
      for (const client of clients) client.end(true)
      await replicas.close()
      await field.close()
      await broker.close()
    }
  },
)
