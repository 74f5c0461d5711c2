import { expect, test } from 'vitest'
import { createShutdown } from './shutdown.ts'

test('higher layers end before lower ones, parts of one layer together, and a failure does not stop the others', async () => {
  const events: string[] = []
  const shutdown = createShutdown((line) => events.push(line))
  const part = (name: string) => async () => {
    events.push(`${name}…`)
    await Promise.resolve()
    events.push(`${name}.`)
  }
  shutdown.add(1, 'a', part('a'))
  shutdown.add(1, 'b', part('b'))
  shutdown.add(3, 'c', () => Promise.reject(new Error('stuck')))
  shutdown.add(2, 'd', part('d'))
  expect(shutdown.signal.aborted).toBe(false)
  await Promise.all([shutdown.end(), shutdown.end()])
  expect(shutdown.signal.aborted).toBe(true)
  expect(events).toEqual(['c did not end well: stuck', 'd…', 'd.', 'a…', 'b…', 'a.', 'b.'])
})

test('a part that is added during the shutdown is ended too', async () => {
  const shutdown = createShutdown(() => {})
  const first = shutdown.end()
  let isEnded = false
  shutdown.add(1, 'late', async () => {
    isEnded = true
  })
  await first
  await shutdown.end()
  expect(isEnded).toBe(true)
})
