import { expect, test } from 'vitest'
import { accountSlowDown, addressSlowDown, pairSlowDown, toWaitS } from './attempts.ts'

test('the first failures have no wait, then each wait is twice as long, up to a quarter of an hour', () => {
  const waits = [4, 5, 6, 7, 14, 15, 1_000].map((failures) => toWaitS(failures, pairSlowDown))
  expect(waits).toEqual([0, 1, 2, 4, 512, 900, 900])
})

test('one address may fail for 29 accounts without a wait, and one account 99 times at many addresses', () => {
  expect([29, 30].map((failures) => toWaitS(failures, addressSlowDown))).toEqual([0, 1])
  expect([99, 100].map((failures) => toWaitS(failures, accountSlowDown))).toEqual([0, 1])
})
