import { expect, test } from 'vitest'
import { runAsCaller } from '../../platform/tasks/current-caller.ts'
import { createQueryLimits } from './query-limits.ts'

/** Queries that answer when the test lets them. */
function createBlocked() {
  const started = { curves: 0, sums: 0 }
  const answered = Promise.withResolvers<void>()
  const limits = createQueryLimits()
  const query = (kind: keyof typeof started) =>
    limits[kind](async () => {
      started[kind] += 1
      await answered.promise
    })
  return { started, answer: answered.resolve, query }
}

test('three queries over a company run at the same time, and curves do not wait for them', async () => {
  const { started, answer, query } = createBlocked()
  const sums = Array.from({ length: 10 }, () => query('sums'))
  const curves = Array.from({ length: 10 }, () => query('curves'))
  await Promise.resolve()
  expect(started).toEqual({ curves: 6, sums: 3 })
  answer()
  await Promise.all([...sums, ...curves])
  expect(started).toEqual({ curves: 10, sums: 10 })
})

test('one query too many is refused with the time after which to try again', async () => {
  const { answer, query } = createBlocked()
  const accepted = Array.from({ length: 33 }, () => query('sums'))
  await expect(query('sums')).rejects.toMatchObject({
    code: 'request.too-many',
    params: { retryAfterS: 10 },
  })
  answer()
  await Promise.all(accepted)
})

test('who has queries without number waiting takes no turn of a colleague', async () => {
  for (const kind of ['curves', 'sums'] as const) {
    const { answer, query } = createBlocked()
    const many = runAsCaller('busy', () => Promise.allSettled(Array.from({ length: 300 }, () => query(kind))))
    const colleague = runAsCaller('colleague', () => query(kind))
    answer()
    await expect(colleague).resolves.toBeUndefined()
    expect((await many).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  }
})
