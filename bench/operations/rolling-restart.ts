import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { startMosquitto } from '../../apps/server/src/platform/mqtt/mosquitto.testkit.ts'
import { selectNumbers } from '../history/select.ts'
import { describeField, listLoadGateways } from '../ingest/field.ts'
import { sendLoad } from '../ingest/send-load.ts'
import { openPlainSql } from '../registry/plain-sql.ts'
import { createServerCalls, type ServerCalls, type Session } from '../registry/server-calls.ts'
import { PASSWORD, SECRET, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, waitForLine } from '../server/processes.ts'
import { addValves, connectValves } from './answering-valves.ts'
import { settle } from './settle.ts'

const CONCENTRATORS = 20
const CHILDREN = 50
const PER_S = 1_000
const MESSAGES = 60_000
/** Time between two orders, ms. */
const ORDER_MS = 200
/** The first replica is restarted so long after the first message, s. */
const RESTART_AFTER_S = 10

export interface RollingRestart {
  /** Messages that the broker took and that were not stored. */
  readonly lost: number
  /** Orders that no replica took, and commands that were not confirmed. */
  readonly failedCommands: number
  readonly orders: number
  /** Longest time from an order until it was taken, ms. */
  readonly longestOrderMs: number
  /** Time in which all replicas were restarted, s. */
  readonly restartS: number
}

interface Replica {
  readonly child: ChildProcess
  readonly calls: ServerCalls
}

/** Replicas on one broker; a call goes to any that runs, as behind a proxy. */
async function startReplicas(urls: Urls, brokerUrl: string, registry: string, names: readonly string[]) {
  const running = new Map<string, Replica>()
  const launch = async (name: string): Promise<void> => {
    const child = startServer(urls, {
      MQTT_URL: `${brokerUrl}?client=${name}`,
      ISOTHERM_REGISTRY_FILE: registry,
    })
    const { port } = JSON.parse(await waitForLine(child, 'ISOTHERM_READY '))
    running.set(name, { child, calls: createServerCalls(port) })
  }
  const close = async (name: string): Promise<void> => {
    const replica = running.get(name)
    // The proxy sends no new calls to a replica that ends.
    running.delete(name)
    if (replica === undefined) return
    await endProcess(replica.child)
    replica.calls.close()
  }
  await Promise.all(names.map(launch))
  return {
    names,
    listCalls: () => [...running.values()].map(({ calls }) => calls),
    async restart(name: string) {
      await close(name)
      await launch(name)
    },
    closeAll: () => Promise.all([...running.keys()].map(close)),
  }
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>

/** Sends an order of one valve again and again, to one replica after the other, until it is stopped. */
function startOrders(replicas: Replicas, deviceIds: readonly number[]) {
  const sessions = new Map<ServerCalls, Session>()
  const result = { orders: 0, refused: 0, longestMs: 0 }
  let isOver = false
  const sendOne = async (): Promise<void> => {
    const all = replicas.listCalls()
    const calls = all[result.orders % all.length]
    const deviceId = deviceIds[result.orders % deviceIds.length]
    result.orders += 1
    if (calls === undefined || deviceId === undefined) throw new Error('no replica runs')
    const session = sessions.get(calls) ?? (await calls.logIn('admin', PASSWORD))
    sessions.set(calls, session)
    const openingPct = 20 + (result.orders % 60)
    const { ms } = await session.call(endpoints.publishMqCtlCmd, {
      targets: [{ deviceId, openingPct }],
      reason: 'bench',
    })
    result.longestMs = Math.max(result.longestMs, ms)
  }
  const send = async () => {
    while (!isOver) {
      await sendOne().catch((error: unknown) => {
        console.error(error)
        result.refused += 1
      })
      await wait(ORDER_MS)
    }
  }
  const sending = send()
  return async () => {
    isOver = true
    await sending
    return result
  }
}

const count = z.object({ count: z.coerce.number() })

/**
 * Restarts two replicas behind a Mosquitto, one after the other, while devices send 1,000 messages a second and people send
 * an order five times a second.
 */
export async function measureRollingRestart(urls: Urls, folder: string): Promise<RollingRestart> {
  const registry = join(folder, 'replicas.json')
  await writeFile(registry, JSON.stringify(addValves(describeField(CONCENTRATORS, CHILDREN))))
  const broker = await startMosquitto()
  const replicas = await startReplicas(urls, broker.url, registry, ['a', 'b'])
  const sql = await openPlainSql(urls.database)
  const clickhouse = createClient({ url: urls.clickhouse })
  const valves = await connectValves(broker.url)
  try {
    const ids = await sql.rows(
      z.object({ id: z.coerce.number() }),
      "select id from device where serial like 'OV%' order by id",
    )
    const stopOrders = startOrders(
      replicas,
      ids.map(({ id }) => id),
    )
    const load = sendLoad({
      url: broker.url,
      nodes: listLoadGateways(CONCENTRATORS, CHILDREN, SECRET),
      messagesPerGateway: MESSAGES / CONCENTRATORS,
      childrenPerMessage: 1,
      metricsPerChild: 1,
      window: 100,
      perS: PER_S,
      boot: 1,
      fromMs: Date.now() - DAY_MS,
    })
    await wait(RESTART_AFTER_S * 1_000)
    const started = performance.now()
    for (const name of replicas.names) await replicas.restart(name)
    const restartS = (performance.now() - started) / 1_000
    const { acknowledged } = await load
    const { orders, refused, longestMs } = await stopOrders()
    const countMissing = async () => {
      // Those of the valves are of now.
      const query = 'SELECT uniqExact(node, seq) FROM readings WHERE ts < now() - INTERVAL 1 HOUR'
      const [stored = 0] = await selectNumbers(clickhouse, query)
      return acknowledged - stored
    }
    const countUnconfirmed = async () => {
      const [row] = await sql.rows(
        count,
        "select count(*) from command where state not in ('confirmed', 'superseded')",
      )
      return row?.count ?? 0
    }
    const lost = await settle(countMissing)
    const unconfirmed = await settle(countUnconfirmed)
    return { lost, failedCommands: refused + unconfirmed, orders, longestOrderMs: longestMs, restartS }
  } finally {
    await Promise.all(valves.map((client) => client.endAsync(true)))
    await Promise.all([clickhouse.close(), sql.close()])
    await replicas.closeAll()
    await broker.close()
  }
}
