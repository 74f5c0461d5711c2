import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { selectNumbers } from '../history/select.ts'
import { describeField, listLoadGateways } from '../ingest/field.ts'
import { sendLoad } from '../ingest/send-load.ts'
import { openPlainSql } from '../registry/plain-sql.ts'
import { createServerCalls, type Session } from '../registry/server-calls.ts'
import { onEngines, PASSWORD, SECRET, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, waitForLine } from '../server/processes.ts'
import { addValves, connectValves } from './answering-valves.ts'
import { type PatroniCluster, startPatroni } from './patroni.ts'
import { settle } from './settle.ts'

const CONCENTRATORS = 20
const CHILDREN = 50
const PER_S = 1_000
const MESSAGES = 60_000
/** Time between two orders, ms. */
const ORDER_MS = 200
/** The primary is killed so long after the first message, s. */
const KILL_AFTER_S = 15

export interface Failover {
  /** Longest time between two confirmed commands, s. */
  readonly longestS: number
  /** Acknowledged messages that are not stored, and accepted orders that are gone or were not confirmed. */
  readonly lost: number
  readonly orders: number
  /** Orders that the server refused while it had no database. */
  readonly refused: number
  readonly pubackP99Ms: number
}

/** Orders one valve after the other until it is stopped. */
function startOrders(session: Session, deviceIds: readonly number[]) {
  const accepted: string[] = []
  let [orders, isOver] = [0, false]
  const send = async () => {
    while (!isOver) {
      const deviceId = deviceIds[orders % deviceIds.length] ?? 0
      orders += 1
      try {
        const { data } = await session.call(endpoints.publishMqCtlCmd, {
          targets: [{ deviceId, openingPct: 20 + (orders % 60) }],
          reason: 'bench',
        })
        accepted.push(data.batchId)
      } catch {
        // The operator sees an error and orders again.
      }
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

/** Opens a connection for one query, because the connections from before are gone. */
async function query<Row>(
  { database }: Urls,
  row: z.ZodType<Row>,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const sql = await openPlainSql(database)
  try {
    return await sql.rows(row, statement, values)
  } finally {
    await sql.close()
  }
}

async function measure(urls: Urls, folder: string, cluster: PatroniCluster): Promise<Failover> {
  const registry = join(folder, 'failover.json')
  await writeFile(registry, JSON.stringify(addValves(describeField(CONCENTRATORS, CHILDREN))))
  const server = startServer(urls, { ISOTHERM_REGISTRY_FILE: registry })
  const { port, mqttPort } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
  const calls = createServerCalls(port)
  const clickhouse = createClient({ url: urls.clickhouse })
  const url = `mqtt://127.0.0.1:${mqttPort}`
  const valves = await connectValves(url, SECRET)
  try {
    const ids = await query(urls, id, "select id from device where serial like 'OV%' order by id")
    const stopOrders = startOrders(
      await calls.logIn('admin', PASSWORD),
      ids.map((each) => each.id),
    )
    const load = sendLoad({
      url,
      nodes: listLoadGateways(CONCENTRATORS, CHILDREN, SECRET),
      messagesPerGateway: MESSAGES / CONCENTRATORS,
      childrenPerMessage: 1,
      metricsPerChild: 1,
      window: 100,
      perS: PER_S,
      boot: 1,
      fromMs: Date.now() - DAY_MS,
    })
    await wait(KILL_AFTER_S * 1_000)
    await cluster.killPrimary()
    const { acknowledged, p99Ms } = await load
    const { orders, accepted } = await stopOrders()
    const missing = await settle(async () => {
      const stored = 'SELECT uniqExact(node, seq) FROM readings WHERE ts < now() - INTERVAL 1 HOUR'
      return acknowledged - ((await selectNumbers(clickhouse, stored))[0] ?? 0)
    })
    const unconfirmed = await settle(async () => {
      const [row] = await query(
        urls,
        count,
        "select count(*) from command where batch_id = any($1) and state in ('confirmed', 'superseded')",
        [accepted],
      )
      return accepted.length - (row?.count ?? 0)
    })
    const confirmed = await query(
      urls,
      at,
      "select at_ms as at from command_event where to_state = 'confirmed' order by at_ms",
    )
    const gaps = confirmed.slice(1).map((each, index) => each.at - (confirmed[index]?.at ?? each.at))
    return {
      longestS: Math.max(0, ...gaps) / 1_000,
      lost: missing + unconfirmed,
      orders,
      refused: orders - accepted.length,
      pubackP99Ms: p99Ms,
    }
  } finally {
    await Promise.all(valves.map((client) => client.endAsync(true)))
    calls.close()
    await endProcess(server)
    await clickhouse.close()
  }
}

/**
 * Kills the primary of a PostgreSQL cluster while devices send 1,000 messages a second and people send an order five times a
 * second.
 */
export async function measureFailover(): Promise<Failover> {
  const cluster = await startPatroni()
  try {
    return await onEngines((urls, folder) => measure(urls, folder, cluster), { databaseUrl: cluster.url })
  } finally {
    await cluster.close()
  }
}
