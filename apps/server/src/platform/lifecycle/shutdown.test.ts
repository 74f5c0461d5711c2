import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createTestClock } from '../../core.testkit.ts'
import { createLog } from '../log.ts'
import { closeInOrder, onTermination } from './shutdown.ts'

const log = createLog({ logLevel: 'silent' })

test('steps are closed one after the other, a failing one does not stop the rest', async () => {
  const closed: string[] = []
  const step = (name: string, fails = false) => ({
    name,
    async close() {
      closed.push(name)
      if (fails) throw new Error('cannot')
    },
  })
  await closeInOrder([step('a'), step('b', true), step('c')], createTestClock(), log)
  expect(closed).toEqual(['a', 'b', 'c'])
})

test('a step that hangs is passed over', async () => {
  const clock = createTestClock()
  const reached = Promise.withResolvers<void>()
  const closing = closeInOrder(
    [
      {
        name: 'hangs',
        close() {
          reached.resolve()
          return new Promise(() => undefined)
        },
      },
      { name: 'next', close: async () => undefined },
    ],
    clock,
    log,
  )
  await reached.promise
  clock.advance(60_000)
  await closing
})

test('the end is asked for once, however often the process is told', () => {
  const source = new EventEmitter()
  const reasons: string[] = []
  onTermination(source, (reason) => reasons.push(reason))
  for (const event of ['SIGTERM', 'SIGINT', 'SIGTERM', 'disconnect']) source.emit(event)
  expect(reasons).toEqual(['SIGTERM'])
})
