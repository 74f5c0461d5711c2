import { setTimeout as pause } from 'node:timers/promises'
import { toUpTopic } from '@isotherm/contract/mqtt'
import type { MqttClient } from 'mqtt'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'

/**
 * Duration of the load in tests that kill processes. The full form takes 60 s; the normal test run has a shorter one.
 */
export const FAULT_SECONDS = Number(process.env.ISOTHERM_FAULT_SECONDS ?? 5)
export const isWholeForm = FAULT_SECONDS >= 30
/** Concentrators that send messages. */
export const CONCENTRATORS = 10
/** Values per message. */
export const VALUES = 2
export const MESSAGES_PER_S = isWholeForm ? 1_000 : 600

const TICK_MS = 20
/** Unacknowledged messages per concentrator; it buffers further ones. */
const IN_FLIGHT = 200
/** Time between two measurements, ms. */
const STEP_MS = 10

/** An action during the load. */
export interface Disturbance {
  /** Share of the load after which it runs, 0 to 1. */
  readonly at: number
  /** `acknowledged`: keys of the messages that are acknowledged when it begins. */
  readonly act: (acknowledged: ReadonlySet<string>) => Promise<void>
}

export interface Load {
  readonly clients: readonly MqttClient[]
  /** Messages of all concentrators together. */
  readonly total: number
  readonly disturbances: readonly Disturbance[]
}

export interface Delivered {
  /** Keys `boot:seq` of messages that the broker acknowledged; concentrator i has boot i + 1. */
  readonly acknowledged: ReadonlySet<string>
  /** Unacknowledged messages during each action. */
  readonly unacknowledged: number
}

/** Every message has its own instant: readings with the same device, metric and instant are one reading. */
export const toReading = (index: number, seq: number, startedAt: number): string => {
  const ts = startedAt + seq * STEP_MS
  const child = { id: `n${index}s`, ts, m: { 'temp.room': 20 + (seq % 10), 'bat.v': 3.6 } }
  return JSON.stringify({ v: 1, boot: index + 1, seq, ts, d: [child] })
}

/** Sends until the message is acknowledged, also over new connections, like a device. */
export async function deliver(client: MqttClient, topic: string, payload: string): Promise<void> {
  for (;;) {
    try {
      await client.publishAsync(topic, payload, { qos: 1 })
      return
    } catch {
      // MQTT.js drops a repeated message if the connection breaks a second time.
      await pause(TICK_MS)
    }
  }
}

/** Sends messages at the given rate and runs the actions; resolves after all messages are acknowledged. */
export async function sendLoad({ clients, total, disturbances }: Load): Promise<Delivered> {
  const acknowledged = new Set<string>()
  const open = clients.map(() => 0)
  const next = clients.map(() => 0)
  const inFlight = new Set<Promise<void>>()
  const acts: Promise<void>[] = []
  const startedAt = Date.now()
  const startedTicksMs = performance.now()
  let unacknowledged = 0

  function sendNext(index: number, client: MqttClient): void {
    const seq = next[index] ?? 0
    next[index] = seq + 1
    open[index] = (open[index] ?? 0) + 1
    const topic = toUpTopic('demo', `n${index}`, 'telemetry')
    const sent = deliver(client, topic, toReading(index, seq, startedAt)).then(() => {
      acknowledged.add(`${index + 1}:${seq}`)
      open[index] = (open[index] ?? 0) - 1
      inFlight.delete(sent)
    })
    inFlight.add(sent)
  }

  while (acknowledged.size < total) {
    const share = (performance.now() - startedTicksMs) / 1_000 / (total / MESSAGES_PER_S)
    const due = Math.min(1, share) * (total / clients.length)
    for (const [index, client] of clients.entries()) {
      while ((next[index] ?? 0) < due && (open[index] ?? 0) < IN_FLIGHT) sendNext(index, client)
    }
    const disturbance = disturbances[acts.length]
    if (disturbance && share >= disturbance.at) {
      await Promise.all(acts)
      unacknowledged += inFlight.size
      acts.push(disturbance.act(new Set(acknowledged)))
    }
    await pause(TICK_MS)
  }
  await Promise.all(acts)
  return { acknowledged, unacknowledged }
}

const counted = z.array(z.tuple([z.number(), z.number(), z.coerce.number()]))

/** Number of stored rows per message (`boot:seq`), duplicates included. */
export async function countRows(clickhouse: ClickHouseClient): Promise<ReadonlyMap<string, number>> {
  const query = 'SELECT boot, seq, count() FROM readings GROUP BY boot, seq'
  const answer = await clickhouse.query({ query, format: 'JSONCompactEachRow' })
  const rows = counted.parse(await answer.json())
  return new Map(rows.map(([boot, seq, count]) => [`${boot}:${seq}`, count]))
}
