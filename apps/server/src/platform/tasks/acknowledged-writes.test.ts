import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createAcknowledgedWrites } from './acknowledged-writes.ts'

class Refusal extends Error {}

/** Acknowledged writes whose store fails with the result of `fail`. */
function createBench(fail: (items: readonly string[]) => Error | undefined) {
  const clock = createTestClock()
  const stored: string[] = []
  const failures: (readonly string[])[] = []
  const add = createAcknowledgedWrites<string>({
    clock,
    gatherMs: 10,
    async write(items) {
      const error = fail(items)
      if (error) throw error
      stored.push(...items)
    },
    isRefusal: (error) => error instanceof Refusal,
    onFailed: (_, items) => failures.push(items),
  })
  return { clock, stored, failures, add }
}

test('an item is acknowledged after it is stored', async () => {
  const { clock, stored, add } = createBench(() => undefined)
  const added = add('a').then(() => [...stored])
  expect(stored).toEqual([])
  clock.advance(10)
  expect(await added).toEqual(['a'])
})

test('only the sender of a refused item gets the error', async () => {
  const refuse = (items: readonly string[]) => (items.includes('bad') ? new Refusal('bad') : undefined)
  const { clock, stored, failures, add } = createBench(refuse)
  const results = Promise.allSettled(['a', 'bad', 'b'].map(add))
  clock.advance(10)
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect([stored, failures]).toEqual([['a', 'b'], []])
})

test('while the store is unavailable each sender gets the error, and later items are stored', async () => {
  let isAway = true
  const { clock, stored, failures, add } = createBench(() => (isAway ? new Error('away') : undefined))
  const results = Promise.allSettled([add('a'), add('b')])
  clock.advance(10)
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(failures).toEqual([['a', 'b']])
  isAway = false
  const again = add('a')
  clock.advance(10)
  await again
  expect(stored).toEqual(['a'])
})
