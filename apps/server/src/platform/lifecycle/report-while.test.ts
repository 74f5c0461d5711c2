import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createLog } from '../log.ts'
import { reportWhile } from './report-while.ts'

test('a work that takes minutes is logged once a minute until it ends', async () => {
  const lines: string[] = []
  const clock = createTestClock()
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const work = Promise.withResolvers<number>()
  const done = reportWhile({ clock, log }, 'migrating', () => work.promise)
  clock.advance(59_000)
  expect(lines).toEqual([])
  clock.advance(1_000)
  clock.advance(60_000)
  work.resolve(5)
  expect(await done).toBe(5)
  clock.advance(600_000)
  expect(lines).toEqual(['still migrating', 'still migrating'])
})
