import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory } from '../../telemetry/messages/sample-directory.testkit.ts'
import { createBatchParts } from './batch-parts.ts'

/** Somebody who sees some of every batch; what is told. */
function createBench() {
  const clock = createTestClock()
  const told: unknown[] = []
  const connection = {
    sightOf: () => 'some' as const,
    isGranted: () => true,
    tellWho: (_anyOf: unknown, _path: unknown, event: unknown) => void told.push(event),
  }
  const parts = createBatchParts({
    connections: [connection],
    directory: createTestDirectory(),
    clock,
    log: createLog({ logLevel: 'silent' }),
    takeTurn: () => Promise.resolve(),
  })
  let readAt: number[] = []
  let answer = (_failed?: Error): void => undefined
  /** A batch got on; its commands are read when the test answers. */
  function note(state: 'running' | 'finished' = 'running'): void {
    const listParts = () => {
      readAt = [...readAt, clock.now()]
      return new Promise<{ deviceId: number; state: 'sent' }[]>((resolve, reject) => {
        answer = (failed) => (failed ? reject(failed) : resolve([{ deviceId: 2, state: 'sent' }]))
      })
    }
    parts.note({ progress: { id: 'b', state, total: 2, counts: {} }, path: '/1/', listParts })
  }
  return {
    clock,
    note,
    told,
    close: parts.close,
    reads: () => readAt.length,
    async answer(failed?: Error) {
      answer(failed)
      await setImmediate()
    },
  }
}

test.each([undefined, new Error('the database is away')])(
  'while a batch is read and told it is not read again, whatever changes: afterwards once (%s)',
  async (failed) => {
    const { clock, note, told, reads, answer } = createBench()
    note()
    for (let second = 0; second < 5; second += 1) {
      clock.advance(1_000)
      await setImmediate()
      note(second === 4 ? 'finished' : 'running')
    }
    expect(reads()).toBe(1)
    await answer(failed)
    expect(told).toHaveLength(failed ? 0 : 1)
    expect(reads()).toBe(1)
    clock.advance(1_000)
    await answer()
    expect(reads()).toBe(2)
    expect(told.at(-1)).toEqual({ type: 'batch', id: 'b', state: 'finished', total: 1, counts: { sent: 1 } })
    clock.advance(10_000)
    expect(reads()).toBe(2)
  },
)

test('after it was closed nobody is told any more', async () => {
  const { clock, note, reads, answer, close } = createBench()
  note()
  clock.advance(1_000)
  note()
  close()
  await answer()
  note()
  clock.advance(10_000)
  expect(reads()).toBe(1)
})
