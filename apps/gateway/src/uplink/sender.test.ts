import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { telemetryMessage } from '@isotherm/contract/mqtt'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../store/open-store.ts'
import { createOutbox, LIVE_MS } from '../store/outbox.ts'
import { createSender } from './sender.ts'

const START = Date.UTC(2026, 10, 27, 12)
const closers: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
  vi.useRealTimers()
})

/** A sender on its store, with a broker that takes everything while it is connected. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-sender-'))
  const store = openStore(folder)
  const outbox = createOutbox({ store, now: Date.now, maxBytes: 1e9, onDropped: () => undefined })
  const broker = { isConnected: true }
  const sent: {
    readonly channel: string
    readonly boot: number
    readonly seq: number
    readonly values: number[]
  }[] = []
  const problems: string[] = []
  const sender = createSender({
    outbox,
    now: Date.now,
    async publish(channel, payload) {
      const { boot, seq, d } = telemetryMessage.parse(JSON.parse(payload))
      sent.push({ channel, boot, seq, values: d.flatMap(({ m }) => Object.values(m)) })
    },
    isConnected: () => broker.isConnected,
    historyDelayMs: () => 10 * SECOND_MS,
    onProblem: (text) => problems.push(text),
  })
  closers.push(() => rmSync(folder, { recursive: true }), store.close, sender.close)
  sender.connected()
  const add = (value: number): void => sender.add([{ id: 'M1', ts: Date.now(), m: { 'heat.energy': value } }])
  return { store, outbox, broker, sender, sent, problems, add }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('gathers readings of half a second in one message', async () => {
  const { sent, add } = open()
  await pass(SECOND_MS)
  add(1)
  await pass(200)
  add(2)
  add(3)
  await pass(SECOND_MS)
  expect(sent.map(({ channel, values }) => [channel, values])).toEqual([
    ['telemetry', [1]],
    ['telemetry', [2, 3]],
  ])
})

test('repeats an unacknowledged message with the same number, later as history', async () => {
  const { sent, add, sender } = open()
  add(1)
  await pass(LIVE_MS + 5 * SECOND_MS)
  expect(new Set(sent.map(({ seq }) => seq))).toEqual(new Set([0]))
  expect(sent.map(({ channel }) => channel)).toEqual([
    'telemetry',
    'telemetry',
    'telemetry',
    'telemetry',
    'history',
  ])
  sender.acknowledge(sent[0]?.boot ?? 0, 0)
  const { length } = sent
  await pass(MINUTE_MS)
  expect(sent).toHaveLength(length)
})

test('repeats a message at once when the server requests it', async () => {
  const { sent, add, sender } = open()
  add(1)
  await pass(SECOND_MS)
  sender.request({ boot: sent[0]?.boot ?? 0, from: 0, to: 5 })
  await pass(200)
  expect(sent.map(({ seq }) => seq)).toEqual([0, 0])
})

test('sends new readings first after an outage, and the history after a pause', async () => {
  const { sent, add, broker, sender } = open()
  broker.isConnected = false
  add(1)
  await pass(LIVE_MS + SECOND_MS)
  add(2)
  broker.isConnected = true
  sender.connected()
  await pass(SECOND_MS)
  expect(sent.map(({ channel, values }) => [channel, values])).toEqual([['telemetry', [2]]])
  await pass(10 * SECOND_MS)
  expect(sent.at(-1)).toMatchObject({ channel: 'history', seq: 1, values: [1] })
})

test('starts a new numbering after twelve hours, once all messages are acknowledged', async () => {
  const { sent, add, sender } = open()
  add(1)
  await pass(SECOND_MS)
  const boot = sent[0]?.boot ?? 0
  sender.acknowledge(boot, 0)
  await pass(12 * HOUR_MS)
  add(2)
  await pass(SECOND_MS)
  expect(sent.at(-1)?.boot).toBeGreaterThan(boot)
  expect(sent.at(-1)?.seq).toBe(0)
})

test('numbers its messages again if the server never acknowledges, because the server may not know the first number', async () => {
  const { sent, add, problems } = open()
  add(1)
  await pass(11 * MINUTE_MS)
  const boots = [...new Set(sent.map(({ boot }) => boot))]
  expect(boots).toHaveLength(2)
  expect(sent.at(-1)).toMatchObject({ boot: boots[1], seq: 0, values: [1] })
  expect(problems).toEqual(['the server does not acknowledge; the messages are numbered again'])
})

test('has a limited number of unacknowledged messages, and sends more as the server acknowledges', async () => {
  const { sent, sender, outbox } = open()
  const children = Array.from({ length: 30_000 }, (_, at) => ({
    id: 'M1',
    ts: START + at,
    m: { 'heat.energy': at },
  }))
  sender.add(children)
  await pass(2 * SECOND_MS)
  expect(sent).toHaveLength(256)
  sender.acknowledge(outbox.boot, 199)
  await pass(SECOND_MS)
  expect(sent).toHaveLength(300)
  expect(sent.flatMap(({ values }) => values)).toEqual(children.map((_, at) => at))
})

test('a full disk loses nothing: messages are erased or numbered again once the disk has space', async () => {
  const { sender, outbox, store, problems, sent, add } = open()
  add(1)
  await pass(SECOND_MS)
  expect(sent).toHaveLength(1)
  store.db.exec('pragma query_only = 1')
  sender.acknowledge(outbox.boot, 0)
  add(2)
  // Long enough for a new numbering to be due.
  await pass(11 * MINUTE_MS)
  expect(problems.at(-1)).toMatch(/^the store cannot be written: /)
  expect(problems.length).toBeLessThan(4)
  expect(outbox.size).toBe(2)
  store.db.exec('pragma query_only = 0')
  await pass(3 * SECOND_MS)
  expect(outbox.size).toBe(1)
  expect(sent.at(-1)).toMatchObject({ values: [2] })
})

test('a clock that goes back or ahead delays nothing, and starts no new numbering', async () => {
  const { outbox, broker, sender, sent, problems, add } = open()
  const { boot } = outbox
  for (const jumpMs of [-2 * HOUR_MS, 3 * HOUR_MS]) {
    vi.setSystemTime(Date.now() + jumpMs)
    const before = sent.length
    add(1)
    await pass(2 * SECOND_MS)
    expect(sent.length).toBe(before + 1)
    sender.acknowledge(outbox.boot, sent.at(-1)?.seq ?? 0)
  }
  broker.isConnected = false
  add(2)
  await pass(LIVE_MS + SECOND_MS)
  broker.isConnected = true
  sender.connected()
  vi.setSystemTime(Date.now() - HOUR_MS)
  await pass(12 * SECOND_MS)
  expect(sent.at(-1)).toMatchObject({ values: [2] })
  expect([outbox.boot, problems]).toEqual([boot, []])
})
