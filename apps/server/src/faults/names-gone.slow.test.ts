import { endpoints } from '@isotherm/contract/endpoints/all'
import { toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { connectAsync } from 'mqtt'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startMailbox, startReceiver } from '../modules/alarms/notices/receivers.testkit.ts'
import {
  CONCENTRATORS,
  countRows,
  FAULT_SECONDS,
  MESSAGES_PER_S,
  sendLoad,
  VALUES,
} from '../modules/telemetry/load.testkit.ts'
import { createTestField } from '../modules/telemetry/server.testkit.ts'
import { toGatewayPassword } from '../platform/mqtt/gateway-access.ts'
import { hasMosquitto, startMosquitto } from '../platform/mqtt/mosquitto.testkit.ts'
import { runProgram } from '../testing/run-program.testkit.ts'
import { isRunning, kill, launchServer, MQTT_SECRET } from '../testing/server-process.testkit.ts'
import { startLink } from './link.testkit.ts'
import { canOwnNames, type NameAnswer, type NameServer, startNameServer } from './name-server.testkit.ts'
import { type Person, signIn } from './people.testkit.ts'

const TOTAL = FAULT_SECONDS * MESSAGES_PER_S
const SETTLED = { timeout: 90_000, interval: 200 }
/** The lookup of the C library asks twice, 5 s each. */
const BACK_MS = 15_000
/** A call waits 5 s for a connection to PostgreSQL. */
const CALL_MS = 6_000
const TIMEOUT = { timeout: (FAULT_SECONDS + 240) * 1_000 }
const RESOLVER = 'check the name servers in /etc/resolv.conf'

const nodeRow = z.object({ id: z.coerce.number(), uuid: z.string().nullable() })
const portOf = (url = ''): number => Number(new URL(url).port)
/** The key of the building in the registry of the test. */
async function readNodeKey(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select id, uuid from node order by level desc limit 1')
    const [{ id, uuid }] = z.tuple([nodeRow]).parse(rows)
    return uuid ?? String(id)
  } finally {
    await client.end()
  }
}

async function sendColdRoom(mqttPort: number): Promise<void> {
  const gateway = { tenant: 'demo', gateway: 'n0' }
  const username = toMqttUsername(gateway.tenant, gateway.gateway)
  const password = toGatewayPassword(MQTT_SECRET, gateway)
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: username,
    username,
    password,
  })
  const ts = Date.now()
  const d = [{ id: 'n0s', ts, m: { 'temp.room': 10 } }]
  const topic = toUpTopic(gateway.tenant, gateway.gateway, 'telemetry')
  await client.publishAsync(topic, JSON.stringify({ v: 1, boot: 1, seq: 0, ts, d }), { qos: 1 })
  await client.endAsync()
}

/** As a load balancer, which waits 5 s. */
const readReady = async (base: string): Promise<unknown> =>
  (await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5_000) })).json()

async function ownNames(): Promise<NameServer> {
  const names = await startNameServer()
  onTestFinished(names.close)
  return names
}

/** Stores and a broker behind connections that can be cut, all of them known to the server by their names only. */
async function startNamed(names: NameServer) {
  const [broker, field] = [await startMosquitto(), await createTestField(CONCENTRATORS)]
  const { DATABASE_URL: database = '', CLICKHOUSE_URL: store = '' } = field.env
  const [toDatabase, toStore, toBroker] = await Promise.all(
    [database, store, broker.url].map((url) => startLink(portOf(url))),
  )
  if (!toDatabase || !toStore || !toBroker) throw new Error('no links')
  const links = [toDatabase, toStore, toBroker]
  onTestFinished(async () => {
    await Promise.all(links.map((link) => link.close()))
    await field.close()
    await broker.close()
  })
  return {
    broker,
    field,
    cut() {
      for (const link of links) link.cut()
    },
    env: {
      ...field.env,
      DATABASE_URL: toDatabase.lead(database, names.nameOf('database')),
      CLICKHOUSE_URL: toStore.lead(store, names.nameOf('store')),
      MQTT_URL: toBroker.lead(broker.url, names.nameOf('broker')),
    },
  }
}

async function launchNamed(names: NameServer, env: NodeJS.ProcessEnv) {
  const server = await launchServer(env, undefined, [], names.node)
  onTestFinished(() => kill(server.child))
  return server
}

/** What people and the operator see while the stores and the broker cannot be found. */
async function expectClearWords(person: Person, base: string, doctor: () => Promise<{ output: string }>) {
  const checks = { postgres: false, clickhouse: false, broker: false, ingest: expect.any(Boolean) }
  await expect.poll(() => readReady(base), SETTLED).toEqual({ status: 'not ready', checks })
  const seen = await person.call(endpoints.getAlarms, { nodes: [ROOT_KEY] })
  expect(seen).toMatchObject({
    http: 503,
    code: 'server.unavailable',
    text: 'The service is not available now. Try again later',
  })
  expect(seen.ms).toBeLessThan(CALL_MS)
  const { output } = await doctor()
  for (const [name, setting] of [
    ['database', 'DATABASE_URL'],
    ['store', 'CLICKHOUSE_URL'],
    ['broker', 'MQTT_URL'],
  ])
    expect(output).toMatch(
      new RegExp(`FAULT {4}name ${name}.isotherm.test of ${setting}: no address .*\\n {9}-> ${RESOLVER}`),
    )
  expect(output).toMatch(/FAULT {4}server: not ready at port \d+ of 127.0.0.1: postgres, clickhouse, broker/)
}

describe.skipIf(!canOwnNames || !hasMosquitto)(
  'a server that knows its stores and its broker by names',
  () => {
    test.each<[string, NameAnswer]>([
      ['do not exist any more', 'unknown'],
      ['cannot be resolved, because the name server fails', 'failure'],
      ['cannot be resolved, because the name server is silent', 'silence'],
    ])(
      `at ${MESSAGES_PER_S} messages/s: names that %s cost no message, and nobody has to act when they are back`,
      TIMEOUT,
      async (_, answer) => {
        const names = await ownNames()
        const { broker, field, env, cut } = await startNamed(names)
        const server = await launchNamed(names, env)
        const person = await signIn(server.base)
        expect(names.countQueries()).toBeGreaterThan(0)
        const clients = await Promise.all(
          Array.from({ length: CONCENTRATORS }, (_each, index) =>
            connectAsync(broker.url, { clientId: `n${index}`, clean: false }),
          ),
        )
        onTestFinished(() => {
          for (const client of clients) client.end(true)
        })
        let backMs = 0
        const act = async () => {
          names.answerWith(answer)
          cut()
          await expectClearWords(person, server.base, () =>
            runProgram('doctor.ts', { ...env, ISOTHERM_PORT: String(server.port) }, [], names.node),
          )
          names.answerWith('address')
          const startedMs = performance.now()
          await expect.poll(() => readReady(server.base), SETTLED).toMatchObject({ status: 'ready' })
          backMs = performance.now() - startedMs
        }
        const { acknowledged } = await sendLoad({ clients, total: TOTAL, disturbances: [{ at: 0.5, act }] })
        expect(backMs).toBeLessThan(BACK_MS)
        expect(isRunning(server.child)).toBe(true)
        expect(acknowledged.size).toBe(TOTAL)
        await expect.poll(async () => (await countRows(field.clickhouse)).size, SETTLED).toBe(TOTAL)
        const stored = await countRows(field.clickhouse)
        expect([...stored.values()].filter((rows) => rows < VALUES)).toEqual([])
        expect((await person.call(endpoints.getAlarms, { nodes: [ROOT_KEY] })).code).toBeUndefined()
        console.log(`${answer}: ready ${(backMs / 1_000).toFixed(1)} s after the names were back`)
      },
    )

    test('a start without names ends with one line that states the name', TIMEOUT, async () => {
      const names = await ownNames()
      const { env } = await startNamed(names)
      names.answerWith('failure')
      const { code, output } = await runProgram('main.ts', { ...env, ISOTHERM_MODE: 'demo' }, [], names.node)
      expect([code, output.split('\n').at(-1)]).toEqual([
        1,
        'isotherm server: cannot start: getaddrinfo EAI_AGAIN database.isotherm.test',
      ])
    })
  },
)

describe.skipIf(!canOwnNames)('a server that reaches its receivers by names', () => {
  test(
    'notices wait while no name has an address, the target says why, and each arrives once',
    TIMEOUT,
    async () => {
      const names = await ownNames()
      const field = await createTestField(1)
      const [hook, mailbox] = [await startReceiver(), await startMailbox()]
      onTestFinished(async () => {
        await Promise.all([field.close(), hook.stop(), mailbox.stop()])
      })
      const toName = (url: string, host: string) => url.replace('127.0.0.1', names.nameOf(host))
      const server = await launchNamed(names, {
        ...field.env,
        ISOTHERM_SMTP_URL: toName(mailbox.url, 'mail'),
        ISOTHERM_SMTP_FROM: 'alarms@isotherm.test',
        ISOTHERM_FORECAST_URL: `http://${names.nameOf('weather')}/forecast.json`,
        ISOTHERM_ALARM_LOCAL_TARGETS: '1',
      })
      const person = await signIn(server.base)
      const [database = ''] = [field.env.DATABASE_URL]
      const node = await readNodeKey(database)
      const target = { node, language: 'en', enabled: true } as const
      const hookUrl = toName(hook.url, 'hook')
      const secret = 'a secret of the tests only'
      const added = await Promise.all([
        person.call(endpoints.addAlarmTarget, { ...target, name: 'hook', url: hookUrl, secret }),
        person.call(endpoints.addAlarmTarget, {
          ...target,
          name: 'mail',
          channel: 'mail',
          url: 'mailto:desk@isotherm.test',
        }),
      ])
      expect(added.map(({ code }) => code)).toEqual([undefined, undefined])
      const rule = {
        kind: 'room-cold',
        node,
        enabled: true,
        severity: 'minor',
        raiseAt: 18,
        clearAt: 18.5,
      } as const
      const always = { season: null, hours: null, raiseAfterS: 0, clearAfterS: 0 }
      expect((await person.call(endpoints.addAlarmRule, { ...rule, ...always })).code).toBeUndefined()

      names.answerWith('failure')
      const tested = await person.call(endpoints.testAlarmTarget, { id: added[0].data?.id ?? 0 })
      expect(tested.data).toMatchObject({ fault: 'unknown name' })
      await sendColdRoom(server.mqttPort)
      const readTargets = async () => {
        const { data } = await person.call(endpoints.getAlarmTargets, { nodes: [] })
        return data?.datalist.map(({ name, fault, waiting }) => ({ name, fault, waiting }))
      }
      await expect.poll(readTargets, SETTLED).toEqual([
        { name: 'hook', fault: 'unknown name', waiting: 1 },
        { name: 'mail', fault: 'unknown name', waiting: 1 },
      ])
      const weather = await person.call(endpoints.getWeather, { nodes: [ROOT_KEY] })
      expect(weather.data?.forecast).toEqual({ state: 'failed' })

      names.answerWith('address')
      await expect.poll(readTargets, SETTLED).toMatchObject([{ waiting: 0 }, { waiting: 0 }])
      expect(hook.received.map(({ body }) => body)).toMatchObject([{ event: 'raised' }])
      expect(mailbox.mails).toHaveLength(1)
    },
  )
})
