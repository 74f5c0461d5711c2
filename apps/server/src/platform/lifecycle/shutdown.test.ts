import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createLog } from '../log.ts'
import { closeInOrder, onTermination } from './shutdown.ts'

const log = createLog({ logLevel: 'silent' })

test('steps run in order, and a failing step does not stop the rest', async () => {
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

test('a step that hangs is skipped', async () => {
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

test('a process whose parent is gone before it listens ends at once', () => {
  const reasons: string[] = []
  const orphan = Object.assign(new EventEmitter(), { connected: false })
  onTermination(orphan, (reason) => reasons.push(reason))
  orphan.emit('disconnect')
  expect(reasons).toEqual(['disconnect'])
})

test('`end` is called once, however many signals arrive', () => {
  const source = new EventEmitter()
  const reasons: string[] = []
  onTermination(source, (reason) => reasons.push(reason))
  for (const event of ['SIGTERM', 'SIGINT', 'SIGTERM', 'disconnect']) source.emit(event)
  expect(reasons).toEqual(['SIGTERM'])
})
