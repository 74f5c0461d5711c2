import { setTimeout as pause } from 'node:timers/promises'
import { toUpTopic } from '@isotherm/contract/mqtt'
import type { MqttClient } from 'mqtt'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from './server.testkit.ts'

/** The whole form is 60 s; every run of the tests has a shorter one. */
const SECONDS = Number(process.env.ISOTHERM_FAULT_SECONDS ?? 8)
const NODES = 10
const MESSAGES_PER_S = 1_000
/** The server is killed when these shares of the load were sent. */
const KILLS = SECONDS >= 30 ? [0.3, 0.5, 0.7] : [0.5]
const TICK_MS = 20

/** Every message has an instant of its own: readings of one device, metric and instant are one reading. */
const message = (boot: number, seq: number, startedAt: number): string => {
  const ts = startedAt + (seq * 1_000 * NODES) / MESSAGES_PER_S
  const child = { id: `n${boot - 1}s`, ts, m: { 'temp.room': 20 + (seq % 10), 'bat.v': 3.6 } }
  return JSON.stringify({ v: 1, boot, seq, ts, d: [child] })
}

/** As a device does: sends until it is acknowledged, whatever becomes of connections. */
async function deliver(client: MqttClient | undefined, topic: string, payload: string): Promise<void> {
  for (;;) {
    try {
      await client?.publishAsync(topic, payload, { qos: 1 })
      return
    } catch {
      // MQTT.js drops what it was repeating when the connection breaks a second time.
      await pause(TICK_MS)
    }
  }
}

const storedRow = z.tuple([z.number(), z.number(), z.coerce.number()])

test(`kill -9 in the middle of ${MESSAGES_PER_S} messages/s: what was acknowledged is stored exactly once`, {
  timeout: (SECONDS + 240) * 1_000,
}, async () => {
  const server = await startTestServer(NODES)
  const clients: MqttClient[] = []
  const acknowledged = new Set<string>()
  try {
    for (let index = 0; index < NODES; index++) clients.push(await server.connect(index))
    const total = SECONDS * MESSAGES_PER_S
    const pending: Promise<void>[] = []
    const kills: Promise<void>[] = []
    const startedAt = Date.now()
    const beganAt = performance.now()
    let openAtKill = 0
    for (let sent = 0; sent < total; ) {
      const due = Math.min(total, Math.floor(((performance.now() - beganAt) / 1000) * MESSAGES_PER_S))
      for (; sent < due; sent++) {
        const index = sent % NODES
        const seq = Math.floor(sent / NODES)
        // The node's boot tells its messages apart from the others': ids of the registry are not known here.
        const boot = index + 1
        const topic = toUpTopic('demo', `n${index}`, 'telemetry')
        const delivered = deliver(clients[index], topic, message(boot, seq, startedAt))
        pending.push(delivered.then(() => void acknowledged.add(`${boot}:${seq}`)))
      }
      if (sent >= total * (KILLS[kills.length] ?? Number.POSITIVE_INFINITY)) {
        openAtKill += pending.length - acknowledged.size
        await Promise.all(kills)
        kills.push(server.kill().then(() => server.restart()))
      }
      await pause(TICK_MS)
    }
    await Promise.all([...kills, ...pending])
    expect(kills).toHaveLength(KILLS.length)
    expect(acknowledged.size).toBe(total)
    expect(openAtKill).toBeGreaterThan(0)

    // Without FINAL: not even rows that the engine would fold later are there twice.
    const answer = await server.clickhouse.query({
      query: 'SELECT boot, seq, count() FROM readings GROUP BY boot, seq',
      format: 'JSONCompactEachRow',
    })
    const stored = new Map<string, number>()
    for (const [boot, seq, rows] of z.array(storedRow).parse(await answer.json())) {
      stored.set(`${boot}:${seq}`, rows)
    }
    const missing = [...acknowledged].filter((key) => !stored.has(key))
    const notOnce = [...stored].filter(([, rows]) => rows !== 2)
    expect(missing).toEqual([])
    expect(notOnce).toEqual([])
    expect(stored.size).toBe(total)
  } finally {
    for (const client of clients) client.end(true)
    await server.close()
  }
})
