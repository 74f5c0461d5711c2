import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import mqtt, { type MqttClient } from 'mqtt'
import { z } from 'zod'
import { toBrokerLogin } from '../../apps/server/src/platform/mqtt/broker-hashes.ts'
import { readSettings } from '../../apps/server/src/platform/mqtt/recipe.testkit.ts'
import { toRabbit } from '../../tools/broker-logins/broker-files.ts'
import { selectNumbers } from '../history/select.ts'
import { describeField, listLoadGateways } from '../ingest/field.ts'
import type { LoadGateway } from '../ingest/load-settings.ts'
import { openPlainSql } from '../registry/plain-sql.ts'
import { createServerCalls, type Session } from '../registry/server-calls.ts'
import { onEngines, PASSWORD, SECRET, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, waitForLine } from '../server/processes.ts'
import { addValves, connectValves, listValveLogins } from './answering-valves.ts'
import { deliver } from './deliver.ts'
import { type RabbitCluster, startRabbitCluster } from './rabbit-cluster.ts'
import { settle } from './settle.ts'

const CONCENTRATORS = 20
const CHILDREN = 50
const PER_S = 1_000
const MESSAGES = 60_000
/** Time between two orders, ms. */
const ORDER_MS = 200
/** The node is killed so long after the first message, s. */
const KILL_AFTER_S = 15
/** Settings of the recipe that are about its machines. */
const OWN = /^(mqtt\.listeners|load_definitions|cluster_formation\.classic_config)/
const SERVER = { username: 'isotherm', password: 'of the server' }

export interface BrokerFailover {
  /** Longest time between two confirmed commands, s. */
  readonly longestS: number
  /** Longest time in which no message was acknowledged, s. */
  readonly silentS: number
  /** Acknowledged messages that are not stored, and accepted orders that were not confirmed. */
  readonly lost: number
  readonly orders: number
  readonly refused: number
}

/** Devices that send at a constant rate and connect again when their connection breaks. */
async function sendStubbornly(url: string, gateways: readonly LoadGateway[]) {
  const clients = await Promise.all(
    gateways.map(({ username, password }) =>
      mqtt.connectAsync(url, {
        clientId: username,
        username,
        password,
        protocolVersion: 4,
        reconnectPeriod: 500,
      }),
    ),
  )
  // A lost connection is what this is about.
  for (const client of clients) client.on('error', () => undefined)
  const fromMs = Date.now() - DAY_MS
  let [acknowledged, lastMs, silentMs] = [0, performance.now(), 0]
  const sendAll = async (client: MqttClient, { topic, children }: LoadGateway): Promise<void> => {
    const pending: Promise<void>[] = []
    const startedMs = performance.now()
    for (let seq = 0; seq < MESSAGES / gateways.length; seq += 1) {
      const due = startedMs + (seq * 1_000 * gateways.length) / PER_S
      const earlyMs = due - performance.now()
      if (earlyMs > 1) await wait(earlyMs)
      const ts = fromMs + seq
      const d = [{ id: children[seq % children.length], ts, m: { 'heat.energy': seq / 100 } }]
      const sent = deliver(client, topic, JSON.stringify({ v: 1, boot: 1, seq, ts, d })).then(() => {
        acknowledged += 1
        silentMs = Math.max(silentMs, performance.now() - lastMs)
        lastMs = performance.now()
      })
      pending.push(sent)
    }
    await Promise.all(pending)
  }
  await Promise.all(
    clients.map((client, index) => {
      const gateway = gateways[index]
      return gateway === undefined ? undefined : sendAll(client, gateway)
    }),
  )
  await Promise.all(clients.map((client) => client.endAsync(true)))
  return { acknowledged, silentS: silentMs / 1_000 }
}

/** Orders one valve after the other until it is stopped. */
function startOrders(session: Session, deviceIds: readonly number[]) {
  const accepted: string[] = []
  let [orders, isOver] = [0, false]
  const send = async () => {
    while (!isOver) {
      const deviceId = deviceIds[orders % deviceIds.length] ?? 0
      orders += 1
      const targets = [{ deviceId, openingPct: 20 + (orders % 60) }]
      // Longer than the failover: what is ordered meanwhile is carried out after it.
      const order = { targets, reason: 'bench', validityS: 300 }
      await session.call(endpoints.publishMqCtlCmd, order).then(
        ({ data }) => accepted.push(data.batchId),
        () => undefined,
      )
      await wait(ORDER_MS)
    }
  }
  const sending = send()
  return async () => {
    isOver = true
    await sending
    return { orders, accepted }
  }
}

const id = z.object({ id: z.coerce.number() })
const count = z.object({ count: z.coerce.number() })
const at = z.object({ at: z.coerce.number() })

async function measure(urls: Urls, folder: string, cluster: RabbitCluster): Promise<BrokerFailover> {
  const registry = join(folder, 'broker-failover.json')
  await writeFile(registry, JSON.stringify(addValves(describeField(CONCENTRATORS, CHILDREN))))
  const { username, password } = SERVER
  const server = startServer(urls, {
    MQTT_URL: `mqtt://${username}:${encodeURIComponent(password)}@${cluster.address}?version=4&client=a`,
    ISOTHERM_REGISTRY_FILE: registry,
  })
  const { port } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
  const [calls, clickhouse, sql] = [
    createServerCalls(port),
    createClient({ url: urls.clickhouse }),
    await openPlainSql(urls.database),
  ]
  const url = `mqtt://${cluster.address}`
  const valves = await connectValves(url, SECRET)
  try {
    const ids = await sql.rows(id, "select id from device where serial like 'OV%' order by id")
    const stopOrders = startOrders(
      await calls.logIn('admin', PASSWORD),
      ids.map((each) => each.id),
    )
    const load = sendStubbornly(url, listLoadGateways(CONCENTRATORS, CHILDREN, SECRET))
    await wait(KILL_AFTER_S * 1_000)
    await cluster.killFirst()
    const { acknowledged, silentS } = await load
    const { orders, accepted } = await stopOrders()
    const missing = await settle(async () => {
      const stored = 'SELECT uniqExact(node, seq) FROM readings WHERE ts < now() - INTERVAL 1 HOUR'
      return acknowledged - ((await selectNumbers(clickhouse, stored))[0] ?? 0)
    })
    const unconfirmed = await settle(async () => {
      const [row] = await sql.rows(
        count,
        "select count(*) from command where batch_id = any($1) and state in ('confirmed', 'superseded')",
        [accepted],
      )
      return accepted.length - (row?.count ?? 0)
    })
    const confirmed = await sql.rows(
      at,
      "select at_ms as at from command_event where to_state = 'confirmed' order by at_ms",
    )
    const gaps = confirmed.slice(1).map((each, index) => each.at - (confirmed[index]?.at ?? each.at))
    return {
      longestS: Math.max(0, ...gaps) / 1_000,
      silentS,
      lost: missing + unconfirmed,
      orders,
      refused: orders - accepted.length,
    }
  } finally {
    await Promise.all(valves.map((client) => client.endAsync(true)))
    calls.close()
    await endProcess(server)
    await Promise.all([clickhouse.close(), sql.close()])
  }
}

/**
 * Kills a node of a RabbitMQ cluster, to which the server is connected, while devices send 1,000 messages a second and people send
 * an order five times a second.
 */
export async function measureBrokerFailover(): Promise<BrokerFailover> {
  const gateways = [...listLoadGateways(CONCENTRATORS, CHILDREN, SECRET), ...listValveLogins(SECRET)]
  const hashed = gateways.map(({ username, password }) => toBrokerLogin({ username, password }))
  const { 'definitions.json': definitions = '' } = toRabbit(hashed, toBrokerLogin(SERVER))
  const settings = ['rabbitmq.conf', 'cluster.conf'].flatMap((name) =>
    readSettings('connect-gateways-through-rabbitmq', name, { own: OWN, toPath: (file) => file }),
  )
  const cluster = await startRabbitCluster(settings, definitions)
  try {
    return await onEngines((urls, folder) => measure(urls, folder, cluster))
  } finally {
    await cluster.close()
  }
}
