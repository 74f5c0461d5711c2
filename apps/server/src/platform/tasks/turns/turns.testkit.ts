import { expect } from 'vitest'
import { runAsCaller } from '../current-caller.ts'

/**
 * A hundred calls of one caller and one of a colleague: two run at once, those beyond the twenty that may wait are refused, and the
 * colleague is served. `toCall` gets the work of a call, which ends when the test lets it.
 */
export async function expectTurns(
  toCall: (work: () => Promise<never>) => () => Promise<unknown>,
): Promise<void> {
  const ended = Promise.withResolvers<never>()
  let started = 0
  const call = toCall(() => {
    started += 1
    return ended.promise
  })
  const many = runAsCaller('busy', () => Promise.allSettled(Array.from({ length: 100 }, call)))
  const colleague = runAsCaller('colleague', call)
  await expect.poll(() => started).toBeGreaterThan(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(started).toBe(2)
  ended.reject(new Error('ended'))
  await expect(colleague).rejects.toThrow('ended')
  const reasons = (await many).map((each) => (each.status === 'rejected' ? each.reason : undefined))
  expect(reasons.filter(({ code }) => code === 'request.too-many')).toHaveLength(78)
}
