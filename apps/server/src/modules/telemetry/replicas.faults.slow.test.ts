import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type AckMessage, ackMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { connectAsync, type MqttClient } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hasMosquitto, type Mosquitto, startMosquitto } from '../../platform/mqtt/mosquitto.testkit.ts'
import { debianPostgres, type OwnPostgres, startOwnPostgres } from '../../testing/debian-postgres.testkit.ts'
import { kill, launchServer, type ServerProcess } from '../../testing/server-process.testkit.ts'
import { DEMO_PASSWORD, toClientHash } from '../session/index.ts'
import {
  CONCENTRATORS,
  countRows,
  FAULT_SECONDS,
  isWholeForm,
  MESSAGES_PER_S,
  sendLoad,
  toReading,
  VALUES,
} from './load.testkit.ts'
import { createTestField, type TestField } from './server.testkit.ts'

const TOTAL = FAULT_SECONDS * MESSAGES_PER_S
const PER_CONCENTRATOR = TOTAL / CONCENTRATORS
/** Shares of the load after which something is killed. */
const KILLS = isWholeForm ? [0.3, 0.5, 0.7] : [0.5]
const AWAY_MS = 500
/** The broker stays away for longer: the devices buffer their readings meanwhile. */
const BROKER_AWAY_MS = isWholeForm ? 300_000 : AWAY_MS
/** Time without a watermark after which a concentrator repeats its messages. */
const PATIENCE_MS = 3_000
const SETTLED = { timeout: 120_000, interval: 200 }
const TIMEOUT = { timeout: (FAULT_SECONDS + 240) * 1_000 + BROKER_AWAY_MS }

/** Servers with the same stores and the same broker. */
async function startReplicas(field: TestField, brokerUrl: string, names: readonly string[]) {
  const launch = (name: string) => launchServer({ ...field.env, MQTT_URL: `${brokerUrl}?client=${name}` })
  const running = new Map<string, ServerProcess>()
  // Started together, as in an upgrade: one creates the tables, the others wait for it.
  const started = await Promise.all(names.map(async (name) => [name, await launch(name)] as const))
  for (const [name, server] of started) running.set(name, server)
  return {
    bases: () => [...running.values()].map(({ base }) => base),
    async killFor(name: string) {
      const server = running.get(name)
      if (server) await kill(server.child)
      await pause(AWAY_MS)
      running.set(name, await launch(name))
    },
    close: () => Promise.all([...running.values()].map(({ child }) => kill(child, 'SIGTERM'))),
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

/** Logs in at one replica; returns a function that reads the newest values from any replica. */
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

/** A concentrator that records its watermarks. */
async function connectGateway(brokerUrl: string, index: number, watermarks: Map<number, AckMessage>) {
  const client = await connectAsync(brokerUrl, { clientId: `n${index}`, clean: false, reconnectPeriod: 200 })
  client.on('message', (_topic, payload) => {
    watermarks.set(index, ackMessage.parse(JSON.parse(payload.toString())))
  })
  await client.subscribeAsync(toDownTopic('demo', `n${index}`, 'ack'), { qos: 1 })
  return client
}

/** Sends all messages, and repeats those that are not durable: a killed broker loses messages that it acknowledged. */
async function sendUntilDurable(client: MqttClient, index: number, watermarks: Map<number, AckMessage>) {
  const topic = toUpTopic('demo', `n${index}`, 'telemetry')
  const startedAt = Date.now()
  const durable = () => watermarks.get(index)?.seq ?? -1
  const step = (FAULT_SECONDS * 1_000) / PER_CONCENTRATOR
  let durableAt = { seq: -1, at: Date.now() }
  for (let seq = 0; durable() < PER_CONCENTRATOR - 1; ) {
    if (durable() > durableAt.seq) durableAt = { seq: durable(), at: Date.now() }
    if (Date.now() - durableAt.at > PATIENCE_MS) {
      seq = durable() + 1
      durableAt = { ...durableAt, at: Date.now() }
    }
    if (seq < PER_CONCENTRATOR) {
      client.publish(topic, toReading(index, seq, startedAt), { qos: 1 })
      seq += 1
    }
    await pause(step)
  }
}

/** Expects each message of each concentrator to be stored once: messages, rows, and rows before merging. */
async function expectAllStoredOnce(field: TestField): Promise<string> {
  const stored = async () => {
    const rows = await countRows(field.clickhouse)
    return { messages: rows.size, came: [...rows.values()].reduce((sum, count) => sum + count, 0) }
  }
  await expect.poll(async () => (await stored()).messages, SETTLED).toBe(TOTAL)
  const answer = await field.clickhouse.query({
    query: 'SELECT count() FROM readings FINAL',
    format: 'JSONCompactEachRow',
  })
  expect(z.tuple([z.tuple([z.coerce.number()])]).parse(await answer.json())).toEqual([[TOTAL * VALUES]])
  const { came } = await stored()
  return `${TOTAL} messages acknowledged and stored, ${came - TOTAL * VALUES} of their rows came twice and are folded`
}

interface Installation {
  readonly broker: Mosquitto
  readonly postgres: OwnPostgres
  readonly field: TestField
  readonly replicas: Awaited<ReturnType<typeof startReplicas>>
  readonly clients: readonly MqttClient[]
  readonly watermarks: Map<number, AckMessage>
}

/** Three replicas with a real broker and their own PostgreSQL, and concentrators that send to them. */
async function withInstallation(use: (all: Installation) => Promise<void>): Promise<void> {
  const [broker, postgres] = await Promise.all([startMosquitto(), startOwnPostgres()])
  const field = await createTestField(CONCENTRATORS, { databaseUrl: postgres.url })
  const replicas = await startReplicas(field, broker.url, ['a', 'b', 'c'])
  const watermarks = new Map<number, AckMessage>()
  const clients: MqttClient[] = []
  try {
    for (let index = 0; index < CONCENTRATORS; index += 1) {
      clients.push(await connectGateway(broker.url, index, watermarks))
    }
    await use({ broker, postgres, field, replicas, clients, watermarks })
  } finally {
    for (const client of clients) client.end(true)
    await replicas.close()
    await field.close()
    await Promise.all([broker.close(), postgres.close()])
  }
}

/**
 * Expects that every concentrator got a watermark for all messages, and that all replicas have the same newest values.
 */
async function expectAllKnown({ replicas, watermarks, clients }: Installation): Promise<void> {
  const last = clients.map((_, index) => [index, { boot: index + 1, seq: PER_CONCENTRATOR - 1 }])
  await expect.poll(() => [...watermarks].toSorted(([a], [b]) => a - b), SETTLED).toEqual(last)
  const bases = replicas.bases()
  const readStates = await signIn(bases[0] ?? '')
  // Each learns from the others what they stored last.
  const compare = async () => {
    const [known = [], ...others] = await Promise.all(bases.map(readStates))
    return {
      known: known.length,
      differing: others.filter((other) => !isDeepStrictEqual(other, known)).length,
    }
  }
  await expect.poll(compare, SETTLED).toEqual({ known: CONCENTRATORS, differing: 0 })
}

const database = debianPostgres === undefined ? 'the embedded PostgreSQL' : "Debian's PostgreSQL"

describe.skipIf(!hasMosquitto)(
  `three replicas on a Mosquitto and ${database} at ${MESSAGES_PER_S} messages/s`,
  () => {
    test.each([
      ['one of them', ({ replicas }: Installation) => replicas.killFor('b')],
      ['PostgreSQL', ({ postgres }: Installation) => postgres.killFor(AWAY_MS)],
    ])(
      '%s is killed: messages the broker accepted are stored once, and all replicas know them',
      TIMEOUT,
      (_, kill) =>
        withInstallation(async (installation) => {
          const { field, clients } = installation
          const act = () => kill(installation)
          const disturbances = KILLS.map((at) => ({ at, act }))
          const { acknowledged } = await sendLoad({ clients, total: TOTAL, disturbances })
          expect(acknowledged.size).toBe(TOTAL)
          console.log(await expectAllStoredOnce(field))
          await expectAllKnown(installation)
        }),
    )

    test(
      'the broker is killed and loses its state: messages that devices repeat are stored once',
      TIMEOUT,
      () =>
        withInstallation(async (installation) => {
          const { broker, field, clients, watermarks } = installation
          const sent = clients.map((client, index) => sendUntilDurable(client, index, watermarks))
          const killed = (async () => {
            await pause((FAULT_SECONDS * 1_000) / 2)
            await broker.kill()
            await pause(BROKER_AWAY_MS)
            await broker.restart()
          })()
          await Promise.all([...sent, killed])
          console.log(await expectAllStoredOnce(field))
          await expectAllKnown(installation)
        }),
    )
  },
)
