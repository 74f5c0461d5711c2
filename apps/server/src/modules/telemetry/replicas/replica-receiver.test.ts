import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { ClockEvent } from '../quality/gateway-clocks.ts'
import { decodeReplicaMessage, encodeReplicaMessage } from './replica-messages.ts'
import { createReplicaReceiver } from './replica-receiver.ts'
import { createReplicaSender } from './replica-sender.ts'

const judged: ClockEvent = {
  gatewayId: 1,
  state: 'wrong',
  correctionMs: 600_000,
  offsetMs: 600_000,
  judgedAt: 5,
}

function createBench() {
  const clock = createTestClock()
  const sent: unknown[] = []
  const store = { isAway: false, reads: 0 }
  const sender = createReplicaSender((body) => sent.push(decodeReplicaMessage(body)))
  const receiver = createReplicaReceiver({
    async readStored() {
      store.reads += 1
      if (store.isAway) throw new Error('the store is away')
    },
    readStoredFrames: async () => undefined,
    readLatest: async () => undefined,
    findDevice: () => undefined,
    sender,
    clocks: { learn: () => undefined, listJudged: () => [judged] },
    applyReadings: () => undefined,
    applyLatest: () => undefined,
    recordDone: () => undefined,
    recordFrames: () => undefined,
    takeDueGaps: () => [],
    clock,
    log: createLog({ logLevel: 'silent' }),
  })
  return {
    receiver,
    store,
    sent: () => sent.splice(0),
    async wait(ms: number) {
      clock.advance(ms)
      await setImmediate()
    },
  }
}

test('many gaps at the same time cause one request for the clocks of the other replicas', async () => {
  const { receiver, store, sent, wait } = createBench()
  for (let gap = 0; gap < 100; gap += 1) receiver.recordGap()
  await wait(10_000)
  expect([sent(), store.reads]).toEqual([[{ kind: 'which-clocks' }], 1])
  await wait(10_000)
  expect(sent()).toEqual([])
  receiver.recordGap()
  await wait(10_000)
  expect(sent()).toEqual([{ kind: 'which-clocks' }])
})

test('while the store is down its reads are retried, but the other replicas are queried once', async () => {
  const { receiver, store, sent, wait } = createBench()
  store.isAway = true
  receiver.recordGap()
  for (let attempt = 0; attempt < 5; attempt += 1) await wait(10_000)
  expect([sent(), store.reads]).toEqual([[{ kind: 'which-clocks' }], 5])
})

test('a replica that asks gets the clocks and the time of their judgement', () => {
  const { receiver, sent } = createBench()
  receiver.receive(encodeReplicaMessage({ kind: 'which-clocks' }))
  expect(sent()).toEqual([{ kind: 'clocks', clocks: [judged] }])
})
