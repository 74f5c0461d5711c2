import { setImmediate } from 'node:timers/promises'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { StoredWatermark } from '../store/watermarks.ch.ts'
import { createWatermarkWriter } from './watermark-writer.ts'

function createBench() {
  const clock = createTestClock()
  const current = new Map<number, StoredWatermark>()
  const store = { written: [] as (readonly StoredWatermark[])[], isAway: false }
  const writer = createWatermarkWriter({
    clock,
    log: createLog({ logLevel: 'silent' }),
    list: () => current.values(),
    async write(rows) {
      if (store.isAway) throw new Error('the store is away')
      store.written.push(rows)
    },
  })
  writer.start()
  return {
    store,
    writer,
    set: (gatewayId: number, seq: number) => current.set(gatewayId, { gatewayId, boot: 1, seq }),
    async waitAnHour() {
      clock.advance(HOUR_MS)
      await setImmediate()
      return store.written.splice(0)
    },
  }
}

test('each hour the watermarks that moved are stored', async () => {
  const { set, waitAnHour } = createBench()
  set(1, 10)
  set(2, 20)
  expect(await waitAnHour()).toEqual([
    [
      { gatewayId: 1, boot: 1, seq: 10 },
      { gatewayId: 2, boot: 1, seq: 20 },
    ],
  ])
  expect(await waitAnHour()).toEqual([])
  set(2, 21)
  expect(await waitAnHour()).toEqual([[{ gatewayId: 2, boot: 1, seq: 21 }]])
})

test('what could not be stored is stored an hour later', async () => {
  const { set, store, waitAnHour } = createBench()
  set(1, 10)
  store.isAway = true
  expect(await waitAnHour()).toEqual([])
  store.isAway = false
  expect(await waitAnHour()).toEqual([[{ gatewayId: 1, boot: 1, seq: 10 }]])
})

test('at the end the rest is stored, and nothing after it', async () => {
  const { set, store, writer, waitAnHour } = createBench()
  set(1, 10)
  await writer.close()
  expect(store.written.splice(0)).toHaveLength(1)
  set(1, 11)
  expect(await waitAnHour()).toEqual([])
})
