import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory } from '../../telemetry/messages/sample-directory.testkit.ts'
import { createBatchParts } from './batch-parts.ts'

/** A user who sees a part of every batch, and the events sent to this user. */
function createBench() {
  const clock = createTestClock()
  const sent: unknown[] = []
  const connection = {
    visibilityOf: () => 'some' as const,
    isGranted: () => true,
    sendTo: (_anyOf: unknown, _path: unknown, event: unknown) => void sent.push(event),
  }
  const parts = createBatchParts({
    connections: [connection],
    directory: createTestDirectory(),
    clock,
    log: createLog({ logLevel: 'silent' }),
    waitForSlice: () => Promise.resolve(),
  })
  let readAt: number[] = []
  let answer = (_failed?: Error): void => undefined
  /** A batch changed; its commands are read when the test answers. */
  function recordChange(state: 'running' | 'finished' = 'running'): void {
    const listParts = () => {
      readAt = [...readAt, clock.now()]
      return new Promise<{ deviceId: number; state: 'sent' }[]>((resolve, reject) => {
        answer = (failed) => (failed ? reject(failed) : resolve([{ deviceId: 2, state: 'sent' }]))
      })
    }
    parts.recordChange({ progress: { id: 'b', state, total: 2, counts: {} }, path: '/1/', listParts })
  }
  return {
    clock,
    recordChange,
    sent,
    close: parts.close,
    reads: () => readAt.length,
    async answer(failed?: Error) {
      answer(failed)
      await setImmediate()
    },
  }
}

test.each([undefined, new Error('the database is unavailable')])(
  'a batch that changes while it is read and sent is read once more afterwards (%s)',
  async (failed) => {
    const { clock, recordChange, sent, reads, answer } = createBench()
    recordChange()
    for (let second = 0; second < 5; second += 1) {
      clock.advance(1_000)
      await setImmediate()
      recordChange(second === 4 ? 'finished' : 'running')
    }
    expect(reads()).toBe(1)
    await answer(failed)
    expect(sent).toHaveLength(failed ? 0 : 1)
    expect(reads()).toBe(1)
    clock.advance(1_000)
    await answer()
    expect(reads()).toBe(2)
    expect(sent.at(-1)).toEqual({ type: 'batch', id: 'b', state: 'finished', total: 1, counts: { sent: 1 } })
    clock.advance(10_000)
    expect(reads()).toBe(2)
  },
)

test('no events are sent after close', async () => {
  const { clock, recordChange, reads, answer, close } = createBench()
  recordChange()
  clock.advance(1_000)
  recordChange()
  close()
  await answer()
  recordChange()
  clock.advance(10_000)
  expect(reads()).toBe(1)
})
