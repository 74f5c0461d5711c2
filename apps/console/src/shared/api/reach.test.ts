import { expect, test } from 'vitest'
import { toReach } from './reach.ts'

const fresh = { since: undefined, answeredAt: undefined }

test('data are outdated since the last answer before the calls started to fail', () => {
  const answered = toReach(fresh, true, 1_000)
  const failed = toReach(answered, false, 9_000)
  expect(failed.since).toBe(1_000)
  expect(toReach(failed, false, 60_000).since).toBe(1_000)
})

test('without any earlier answer, data are outdated since the first failure', () => {
  expect(toReach(fresh, false, 5_000).since).toBe(5_000)
})

test('one answer ends the loss', () => {
  const failed = toReach(toReach(fresh, true, 1_000), false, 9_000)
  expect(toReach(failed, true, 10_000)).toEqual({ since: undefined, answeredAt: 10_000 })
})
