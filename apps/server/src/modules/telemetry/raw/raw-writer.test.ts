import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import { RefusedRowsError } from '../store/refused-rows.ts'
import type { RawFrame } from './raw-frame.ts'
import { createRawWriter } from './raw-writer.ts'

const frame = (seq: number, bytes = 1): RawFrame => ({
  gatewayId: 1,
  ts: 1,
  boot: 1,
  seq,
  part: 0,
  bytes: new Uint8Array(bytes),
  device: 1,
  named: '',
  isSent: false,
  received: 1,
})

/** A writer whose inserts end when the test ends them. */
function createBench() {
  const clock = createTestClock()
  const inserts: { frames: readonly RawFrame[]; resolve(): void; reject(error: Error): void }[] = []
  let stored = 0
  const writer = createRawWriter({
    clock,
    log: createLog({ logLevel: 'silent' }),
    insert: (frames) =>
      new Promise<void>((resolve, reject) => {
        inserts.push({ frames, resolve, reject })
      }),
    stored(count) {
      stored += count
    },
  })
  const insertAt = async (index: number) => {
    await expect
      .poll(() => {
        clock.advance(100)
        return inserts.length
      })
      .toBe(index + 1)
    const insert = inserts[index]
    if (!insert) throw new Error('no insert')
    return insert
  }
  return { writer, insertAt, stored: () => stored }
}

test('frames that arrive during an insert go together into the next one', async () => {
  const { writer, insertAt, stored } = createBench()
  const first = writer.put([frame(0)])
  const one = await insertAt(0)
  const later = [writer.put([frame(1)]), writer.put([frame(2), frame(3)])]
  one.resolve()
  await first
  const two = await insertAt(1)
  expect(two.frames.map(({ seq }) => seq)).toEqual([1, 2, 3])
  two.resolve()
  await Promise.all(later)
  expect(stored()).toBe(4)
})

test('frames that could not be stored are not acknowledged, and later ones are stored', async () => {
  const { writer, insertAt, stored } = createBench()
  const refused = expect(writer.put([frame(0)])).rejects.toThrow('away')
  ;(await insertAt(0)).reject(new Error('the store is away'))
  await refused
  const again = writer.put([frame(0)])
  ;(await insertAt(1)).resolve()
  await again
  expect(stored()).toBe(1)
})

test('while the store is away only some megabytes wait for it', async () => {
  const { writer, insertAt } = createBench()
  const megabytes = Array.from({ length: 15 }, (_, seq) => writer.put([frame(seq, 1024 * 1024)]))
  await expect(writer.put([frame(15, 2 * 1024 * 1024)])).rejects.toThrow(BacklogFullError)
  ;(await insertAt(0)).resolve()
  await Promise.all(megabytes)
  const next = writer.put([frame(15, 2 * 1024 * 1024)])
  ;(await insertAt(1)).resolve()
  await next
})

test('frames that the store refuses because of their content are returned, and the others are stored', async () => {
  const { writer, insertAt, stored } = createBench()
  const first = writer.put([frame(0), frame(1)])
  const second = writer.put([frame(2), frame(3)])
  ;(await insertAt(0)).reject(new RefusedRowsError('a constraint of the table'))
  ;(await insertAt(1)).resolve()
  ;(await insertAt(2)).reject(new RefusedRowsError('a constraint of the table'))
  ;(await insertAt(3)).reject(new RefusedRowsError('a constraint of the table'))
  ;(await insertAt(4)).resolve()
  expect(await first).toEqual([])
  expect(await second).toEqual([frame(2)])
  expect(stored()).toBe(3)
})
