import { quality } from '@isotherm/contract/metrics'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import type { IncomingMessage } from '../../../platform/mqtt/broker-port.ts'
import { createSteadyClock } from '../../../platform/tasks/steady-clock.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createSeenMessages } from '../delivery/seen-messages.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createGatewayClocks } from '../quality/gateway-clocks.ts'
import type { QuarantineEntry } from '../quarantine/quarantine-sampler.ts'
import { createQuarantineWriter } from '../quarantine/quarantine-writer.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import { createGroupCommit } from '../store/group-commit.ts'
import { createIngest } from './ingest.ts'
import { createTelemetryMetrics } from './telemetry-metrics.ts'

const TOPIC = 'hx/v1/demo/c1/up/telemetry'

/** The intake with a store that can be away, and a backlog of two rows. */
function createBench() {
  const clock = createTestClock()
  const log = createLog({ logLevel: 'silent' })
  const seen = createSeenMessages()
  const metrics = createTelemetryMetrics(new Registry())
  const stored: ReadingMessage[] = []
  const quarantined: QuarantineEntry[] = []
  const reported: string[] = []
  let isAway = true
  let acceptsQuarantine = false
  let judged = 0
  const store = {
    async insert(messages: readonly ReadingMessage[]) {
      if (isAway) throw new Error('the store is away')
      stored.push(...messages)
    },
    async insertQuarantine(entries: readonly QuarantineEntry[]) {
      if (isAway && !acceptsQuarantine) throw new Error('the store is away')
      quarantined.push(...entries)
    },
    findStored: async () => new Set<string>(),
  }
  const commit = createGroupCommit({
    insert: store.insert,
    findStored: store.findStored,
    clock,
    log,
    limits: { backlogRows: 2 },
    committed(messages) {
      for (const { gatewayId, boot, seq } of messages) seen.add(gatewayId, boot, seq)
    },
  })
  const clocks = createGatewayClocks({
    clock,
    steady: createSteadyClock(clock),
    sink: {
      open: (id, rule, _since, { offsetS }) => reported.push(`${id} ${rule} ${offsetS}`),
      close: () => undefined,
    },
    publish: async () => undefined,
  })
  const ingest = createIngest({
    clock,
    steady: createSteadyClock(clock),
    isSeen: seen.has,
    commit,
    metrics,
    clocks,
    directory: createTestDirectory(),
    serves: (tenant) => tenant !== 'elsewhere',
    quarantine: createQuarantineWriter({
      clock,
      log,
      insert: store.insertQuarantine,
      counted: (reason) => metrics.quarantined.inc({ reason }),
    }),
    frames: { put: async () => [], oldestReceived: () => undefined },
    framesDone: () => undefined,
    handleBirth: () => undefined,
    recordGateway: () => undefined,
    retentionMs: Number.POSITIVE_INFINITY,
    recordRefused: async () => undefined,
    recordRefusedFrames: async () => undefined,
    repeated: () => undefined,
    judge(samples) {
      judged += samples.length
      return samples
    },
    handleReply: async () => undefined,
    unregistered: () => undefined,
  })
  /** Advances time, so that waiting writes can happen. */
  async function pass(ms: number): Promise<void> {
    for (let step = 0; step < 10; step += 1) {
      clock.advance(ms / 10)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  /** One attempt to process a message; returns the error, if any. */
  async function take(message: IncomingMessage): Promise<unknown> {
    const taken = ingest(message).then(
      () => 'taken',
      (error: unknown) => error,
    )
    await pass(MINUTE_MS)
    return taken
  }
  const toArrival = (seq: number, ts: number, ...d: object[]): IncomingMessage => ({
    topic: TOPIC,
    payload: Buffer.from(JSON.stringify({ v: 1, boot: 1, seq, ts, d })),
    receivedAt: clock.now(),
  })
  return {
    clock,
    ingest,
    stored,
    quarantined,
    reported,
    pass,
    take,
    toArrival,
    countQuarantined: async () => (await metrics.quarantined.get()).values.map(({ value }) => value),
    judged: () => judged,
    acceptQuarantine() {
      acceptsQuarantine = true
    },
    comeBack() {
      isAway = false
    },
  }
}

test('a message that waits for the store during an outage is measured by its arrival, and judged once', async () => {
  const bench = createBench()
  const sent = bench.clock.now()
  const first = bench.ingest(
    bench.toArrival(0, sent, { id: 'c1v1', ts: sent, m: { 'temp.supply': 45, 'temp.return': 40 } }),
  )
  const waiting = bench.toArrival(
    1,
    sent,
    { id: 'c1v2', ts: sent, m: { 'temp.return': 41 } },
    { id: 'c1v3', m: { 'temp.return': 42 } },
  )
  for (let tries = 0; tries < 12; tries += 1)
    expect(await bench.take(waiting)).toBeInstanceOf(BacklogFullError)
  expect(bench.judged()).toBe(1)
  bench.comeBack()
  await bench.pass(MINUTE_MS)
  await first
  expect(await bench.take(waiting)).toBe('taken')
  expect(bench.judged()).toBe(3)
  expect(bench.reported).toEqual([])
  // A reading without its own instant has the instant of arrival. `received` is the time of storing, because other
  // replicas search by it.
  expect(bench.stored.find(({ seq }) => seq === 1)).toMatchObject({
    received: sent + 13 * MINUTE_MS,
    samples: [
      { ts: sent, quality: 0, values: [{ quality: 0 }] },
      { ts: sent, quality: 0, values: [{ quality: 0 }] },
    ],
  })
})

test('a message of a fast clock with a part that cannot be quarantined yet counts once over all retries', async () => {
  const bench = createBench()
  const ahead = bench.clock.now() + 5 * MINUTE_MS
  const reading = { id: 'c1v1', ts: ahead, m: { 'temp.return': 41 } }
  const message = bench.toArrival(0, ahead, reading, { id: 'c1v1', m: { 'made.up': 1 } })
  for (let tries = 0; tries < 12; tries += 1) {
    const tried = bench.ingest(message).catch((error: unknown) => error)
    await bench.pass(1_000)
    expect(await tried).toMatchObject({ message: 'the store is away' })
  }
  bench.comeBack()
  expect(await bench.take(message)).toBe('taken')
  expect(bench.reported).toEqual([])
  expect(bench.stored).toMatchObject([{ samples: [{ ts: ahead, quality: 0 }] }])
})

test('a message that the broker delivers again while the first one waits does not affect the clock', async () => {
  const bench = createBench()
  const sent = bench.clock.now()
  const toCopy = () => bench.toArrival(0, sent, { id: 'c1v1', ts: sent, m: { 'temp.return': 41 } })
  const copies = [bench.ingest(toCopy())]
  for (let minute = 0; minute < 30; minute += 1) {
    await bench.pass(MINUTE_MS)
    copies.push(bench.ingest(toCopy()))
  }
  bench.comeBack()
  await bench.pass(MINUTE_MS)
  await Promise.all(copies)
  expect(bench.reported).toEqual([])
  expect(bench.stored).toHaveLength(1)
  expect(bench.stored[0]?.samples[0]?.values[0]?.quality ?? quality.clockCorrected).toBe(0)
})

test('rejects of a message are counted and quarantined once over all retries', async () => {
  const bench = createBench()
  const sent = bench.clock.now()
  const wrong = { id: 'c1v1', m: { 'made.up': 1 } }
  const right = (id: string) => ({ id, ts: sent, m: { 'temp.return': 41 } })
  // More rejects than the sampler admits from one gateway at once.
  const message = bench.toArrival(1, sent, right('c1v3'), ...Array.from({ length: 30 }, () => wrong))
  for (let tries = 0; tries < 3; tries += 1)
    expect(await bench.take(message)).toMatchObject({ message: 'the store is away' })
  bench.acceptQuarantine()
  const tried = bench.ingest(message).catch((error: unknown) => error)
  const other = bench.ingest(bench.toArrival(0, sent, right('c1v1'), right('c1v2')))
  await bench.pass(MINUTE_MS)
  expect(await tried).toBeInstanceOf(BacklogFullError)
  bench.comeBack()
  await bench.pass(MINUTE_MS)
  await other
  expect(await bench.take(message)).toBe('taken')
  expect(await bench.countQuarantined()).toEqual([30])
  expect(bench.quarantined).toHaveLength(20)
})

test('a message of a company that another server serves is neither stored nor quarantined', async () => {
  const bench = createBench()
  bench.comeBack()
  bench.acceptQuarantine()
  const { payload } = bench.toArrival(0, bench.clock.now(), { id: 'c1v1', m: { 'temp.return': 40 } })
  for (const channel of ['telemetry', 'history', 'raw', 'birth', 'reply'])
    expect(await bench.take({ topic: `hx/v1/elsewhere/c1/up/${channel}`, payload })).toBe('taken')
  expect([bench.stored, bench.quarantined]).toEqual([[], []])
})
