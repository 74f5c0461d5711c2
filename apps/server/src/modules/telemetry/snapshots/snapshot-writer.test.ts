import { setImmediate } from 'node:timers/promises'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createSnapshotWriter } from './snapshot-writer.ts'

function createBench(isStarted = true) {
  const clock = createTestClock()
  const log: string[] = []
  const store = { isAway: false }
  /** Writing takes a minute. */
  const toPart = (name: string) => ({
    async write() {
      if (store.isAway) throw new Error('the store is away')
      clock.advance(MINUTE_MS)
      log.push(name)
    },
  })
  const waiting = { received: Number.POSITIVE_INFINITY }
  const began = clock.now()
  const writer = createSnapshotWriter({
    clock,
    log: createLog({ logLevel: 'silent' }),
    oldestReceived: () => waiting.received,
    parts: [toPart('numbers'), toPart('values')],
    writeMark: async (at) => {
      log.push(`mark ${(at - began) / MINUTE_MS} min`)
    },
  })
  if (isStarted) writer.start()
  return {
    store,
    waiting,
    began,
    writer,
    log,
    async wait(ms: number) {
      clock.advance(ms)
      await setImmediate()
      return log.splice(0)
    },
  }
}

test('five minutes after each snapshot all parts are stored, and then from when the snapshot is', async () => {
  const { wait } = createBench()
  expect(await wait(5 * MINUTE_MS)).toEqual(['numbers', 'values', 'mark 5 min'])
  expect(await wait(5 * MINUTE_MS - 1)).toEqual([])
  expect(await wait(1)).toEqual(['numbers', 'values', 'mark 12 min'])
})

test('a snapshot is as old as the message that waits longest for the store', async () => {
  const { wait, waiting, began } = createBench()
  waiting.received = began + MINUTE_MS
  expect(await wait(5 * MINUTE_MS)).toEqual(['numbers', 'values', 'mark 1 min'])
})

test('a snapshot that could not be stored leaves the former mark, and is tried again', async () => {
  const { store, wait } = createBench()
  store.isAway = true
  expect(await wait(5 * MINUTE_MS)).toEqual([])
  store.isAway = false
  expect(await wait(5 * MINUTE_MS)).toEqual(['numbers', 'values', 'mark 10 min'])
})

test('at the end the last snapshot is stored, and nothing after it', async () => {
  const { writer, log, wait } = createBench()
  await writer.close()
  expect(log.splice(0)).toEqual(['numbers', 'values', 'mark 0 min'])
  expect(await wait(5 * MINUTE_MS)).toEqual([])
})

test('a server that never started stores no snapshot: it knows nothing', async () => {
  const { writer, log } = createBench(false)
  await writer.close()
  expect(log).toEqual([])
})
