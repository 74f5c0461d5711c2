import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { ClockNews } from '../quality/gateway-clocks.ts'
import { decodeNews, encodeNews } from './replica-messages.ts'
import { createReplicas } from './replicas.ts'

const judged: ClockNews = { nodeId: 1, state: 'wrong', correctionMs: 600_000, offsetMs: 600_000, judgedAt: 5 }

function createBench() {
  const clock = createTestClock()
  const told: unknown[] = []
  const store = { isAway: false, reads: 0 }
  const replicas = createReplicas({
    store: {
      async readStored() {
        store.reads += 1
        if (store.isAway) throw new Error('the store is away')
      },
      async readLatest() {},
    },
    takeStored: () => undefined,
    findDevice: () => undefined,
    tell: (body) => told.push(decodeNews(body)),
    takeRefused: () => undefined,
    takeFrames: () => undefined,
    readStoredFrames: async () => undefined,
    clocks: { learn: () => undefined, listJudged: () => [judged] },
    take: () => undefined,
    takeLatest: () => undefined,
    clock,
    log: createLog({ logLevel: 'silent' }),
  })
  return {
    replicas,
    store,
    told: () => told.splice(0),
    async wait(ms: number) {
      clock.advance(ms)
      await setImmediate()
    },
  }
}

test('however many gaps there are in a moment, the others are asked for their clocks once', async () => {
  const { replicas, store, told, wait } = createBench()
  for (let gap = 0; gap < 100; gap += 1) replicas.missed()
  await wait(10_000)
  expect([told(), store.reads]).toEqual([[{ kind: 'which-clocks' }], 1])
  await wait(10_000)
  expect(told()).toEqual([])
  replicas.missed()
  await wait(10_000)
  expect(told()).toEqual([{ kind: 'which-clocks' }])
})

test('a store that stays away is asked again and again, the others are not', async () => {
  const { replicas, store, told, wait } = createBench()
  store.isAway = true
  replicas.missed()
  for (let round = 0; round < 5; round += 1) await wait(10_000)
  expect([told(), store.reads]).toEqual([[{ kind: 'which-clocks' }], 5])
})

test('whoever asks is told the clocks with when they were judged', () => {
  const { replicas, told } = createBench()
  replicas.hear(encodeNews({ kind: 'which-clocks' }))
  expect(told()).toEqual([{ kind: 'clocks', clocks: [judged] }])
})
