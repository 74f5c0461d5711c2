import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { AT_ONCE, createAccountPace, INTERVAL_MS } from './account-pace.ts'

test('an account that opens subscriptions without end waits, and delays no other', async () => {
  const clock = createTestClock()
  const waitForPace = createAccountPace(clock)
  let opened = 0
  const open = (accountId: number) =>
    waitForPace(accountId).then(() => {
      if (accountId === 1) opened += 1
    })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await setImmediate()
  }
  const all = Array.from({ length: AT_ONCE + 3 }, () => open(1))
  await open(2)
  await setImmediate()
  expect(opened).toBe(AT_ONCE)
  await pass(INTERVAL_MS)
  expect(opened).toBe(AT_ONCE + 1)
  await pass(2 * INTERVAL_MS)
  expect(opened).toBe(AT_ONCE + 3)
  await Promise.all(all)
  // After a pause the account may open many at once again.
  await pass(AT_ONCE * INTERVAL_MS)
  for (let count = 0; count < AT_ONCE; count += 1) open(1)
  await setImmediate()
  expect(opened).toBe(2 * AT_ONCE + 3)
})
