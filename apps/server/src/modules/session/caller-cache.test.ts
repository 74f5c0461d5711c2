import { MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createCallerCache } from './caller-cache.ts'

function open() {
  const clock = createTestClock()
  const callers = createCallerCache(clock)
  const caller = {
    accountId: 1,
    account: 'li',
    companyId: undefined,
    sessionId: 7,
    tokenHash: Buffer.from('hash'),
    expiresAt: clock.now() + 2 * MINUTE_MS,
    permissions: new Set<never>(),
    scope: scopeOfEverything,
  }
  return { clock, callers, caller }
}

test('a caller is known for a minute, at the revision at which it was read', () => {
  const { clock, callers, caller } = open()
  const readAt = clock.now()
  // The answer takes half a minute.
  clock.advance(MINUTE_MS / 2)
  callers.store('token', 3, caller, readAt)
  clock.advance(MINUTE_MS / 2 - 1)
  expect(callers.find('token', 3)).toBe(caller)
  expect(callers.find('token', 4)).toBeUndefined()
  expect(callers.find('other', 3)).toBeUndefined()
  clock.advance(1)
  expect(callers.find('token', 3)).toBeUndefined()
})

test('a caller is not known after the end of its token', () => {
  const { clock, callers, caller } = open()
  callers.store('token', 3, { ...caller, expiresAt: clock.now() + 1_000 }, clock.now())
  clock.advance(999)
  expect(callers.find('token', 3)).toBeDefined()
  clock.advance(1)
  expect(callers.find('token', 3)).toBeUndefined()
})

test('callers of exchanged tokens take no memory', () => {
  const { clock, callers, caller } = open()
  for (let minute = 0; minute < 10; minute += 1) {
    for (let session = 0; session < 50; session += 1)
      callers.store(`${minute} ${session}`, 1, caller, clock.now())
    clock.advance(MINUTE_MS)
  }
  expect(callers.size).toBeLessThanOrEqual(100)
})
