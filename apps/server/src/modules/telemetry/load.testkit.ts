import { setTimeout as pause } from 'node:timers/promises'
import { toUpTopic } from '@isotherm/contract/mqtt'
import type { MqttClient } from 'mqtt'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'

/** How long the tests that kill processes go on. Their whole form is 60 s; every run of the tests has a shorter one. */
export const FAULT_SECONDS = Number(process.env.ISOTHERM_FAULT_SECONDS ?? 5)
export const isWholeForm = FAULT_SECONDS >= 30
/** Concentrators that send. */
export const NODES = 10
/** Values of each message. */
export const VALUES = 2
export const MESSAGES_PER_S = isWholeForm ? 1_000 : 600

const TICK_MS = 20
/** Messages a concentrator has on their way at once; what it may not send yet it keeps. */
const IN_FLIGHT = 200
/** From one instant of measurement to the next, ms. */
const STEP_MS = 10

/** Something that is done once so many of the messages were sent. */
export interface Disturbance {
  /** Share of the load, 0 to 1. */
  readonly at: number
  readonly act: () => Promise<void>
}

export interface Load {
  readonly clients: readonly MqttClient[]
  /** Of all concentrators together. */
  readonly total: number
  readonly disturbances: readonly Disturbance[]
}

export interface Delivered {
  /** `boot:seq` of what the broker acknowledged; of concentrator i the boot is i + 1. */
  readonly acknowledged: ReadonlySet<string>
  /** Messages on their way when something was done. */
  readonly openMeanwhile: number
}

/** Every message has an instant of its own: readings of one device, metric and instant are one reading. */
export const toReading = (index: number, seq: number, startedAt: number): string => {
  const ts = startedAt + seq * STEP_MS
  const child = { id: `n${index}s`, ts, m: { 'temp.room': 20 + (seq % 10), 'bat.v': 3.6 } }
  return JSON.stringify({ v: 1, boot: index + 1, seq, ts, d: [child] })
}

/** As a device does: sends until it is acknowledged, whatever becomes of connections. */
async function deliver(client: MqttClient, topic: string, payload: string): Promise<void> {
  for (;;) {
    try {
      await client.publishAsync(topic, payload, { qos: 1 })
      return
    } catch {
      // MQTT.js drops what it was repeating when the connection breaks a second time.
      await pause(TICK_MS)
    }
  }
}

/** Sends as many messages a second as agreed, and disturbs; resolves when everything is acknowledged. */
export async function sendLoad({ clients, total, disturbances }: Load): Promise<Delivered> {
  const acknowledged = new Set<string>()
  const open = clients.map(() => 0)
  const next = clients.map(() => 0)
  const underway = new Set<Promise<void>>()
  const acts: Promise<void>[] = []
  const startedAt = Date.now()
  const beganAt = performance.now()
  let openMeanwhile = 0

  function sendNext(index: number, client: MqttClient): void {
    const seq = next[index] ?? 0
    next[index] = seq + 1
    open[index] = (open[index] ?? 0) + 1
    const topic = toUpTopic('demo', `n${index}`, 'telemetry')
    const sent = deliver(client, topic, toReading(index, seq, startedAt)).then(() => {
      acknowledged.add(`${index + 1}:${seq}`)
      open[index] = (open[index] ?? 0) - 1
      underway.delete(sent)
    })
    underway.add(sent)
  }

  while (acknowledged.size < total) {
    const share = (performance.now() - beganAt) / 1_000 / (total / MESSAGES_PER_S)
    const due = Math.min(1, share) * (total / clients.length)
    for (const [index, client] of clients.entries()) {
      while ((next[index] ?? 0) < due && (open[index] ?? 0) < IN_FLIGHT) sendNext(index, client)
    }
    const disturbance = disturbances[acts.length]
    if (disturbance && share >= disturbance.at) {
      await Promise.all(acts)
      openMeanwhile += underway.size
      acts.push(disturbance.act())
    }
    await pause(TICK_MS)
  }
  await Promise.all(acts)
  return { acknowledged, openMeanwhile }
}

const counted = z.array(z.tuple([z.number(), z.number(), z.coerce.number()]))

/** How many rows are stored of each message (`boot:seq`), those that came twice counted twice. */
export async function countRows(clickhouse: ClickHouseClient): Promise<ReadonlyMap<string, number>> {
  const query = 'SELECT boot, seq, count() FROM readings GROUP BY boot, seq'
  const answer = await clickhouse.query({ query, format: 'JSONCompactEachRow' })
  const rows = counted.parse(await answer.json())
  return new Map(rows.map(([boot, seq, count]) => [`${boot}:${seq}`, count]))
}
