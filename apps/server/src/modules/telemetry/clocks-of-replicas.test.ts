import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hasMosquitto } from '../../platform/mqtt/mosquitto.testkit.ts'
import { startTestReplicas } from '../../testing/replicas.testkit.ts'

const AHEAD_MS = 300_000
const MEASURED = 60
const MESSAGES = 100

/** Offsets of messages of one clock with varying transfer time: any half of them has another median. */
const toJitterMs = (seq: number): number => (seq * 7_919) % 3_000

describe.skipIf(!hasMosquitto)('on a Mosquitto of this machine (skipped if it is not installed)', () => {
  test('two replicas correct the messages of one gateway by the same amount, to the millisecond', async () => {
    const { one, connect, stop } = await startTestReplicas()
    try {
      const gateway = await connect('C-b2')
      const sent = new Map<number, number>()
      for (let seq = 0; seq < MESSAGES; seq += 1) {
        const stamped = new Set(sent.values())
        let ts = Date.now() + AHEAD_MS - toJitterMs(seq)
        // The store keeps one of two readings with the same instant.
        while (stamped.has(ts)) ts -= 1
        sent.set(seq, ts)
        const message = { v: 1, boot: 1, seq, ts, d: [{ id: 'R-b2u1', ts, m: { 'temp.room': 20 } }] }
        await gateway.publishAsync('hx/v1/demo/C-b2/up/telemetry', JSON.stringify(message), { qos: 1 })
      }
      const rows = z.array(z.tuple([z.number(), z.coerce.number(), z.number()]))
      const read = async () => {
        const query = 'SELECT seq, toUnixTimestamp64Milli(ts), quality FROM readings ORDER BY seq'
        const answer = await one.clickhouse.query({ query, format: 'JSONCompactEachRow' })
        return rows.parse(await answer.json())
      }
      await expect.poll(read).toHaveLength(MESSAGES)
      const added = (await read())
        .filter(([seq]) => seq >= MEASURED)
        .map(([seq, ts]) => ts - (sent.get(seq) ?? 0))
      expect(new Set(added).size).toBe(1)
      expect(Math.abs((added[0] ?? 0) + AHEAD_MS)).toBeLessThan(5_000)
    } finally {
      await stop()
    }
  }, 60_000)
})
