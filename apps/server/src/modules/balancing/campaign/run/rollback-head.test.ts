import { expect, test } from 'vitest'
import { AppError } from '../../../../platform/app-error.ts'
import { createTestCaller } from '../../../../platform/http/call.testkit.ts'
import { findRollbackHead } from './rollback-head.ts'

const caller = createTestCaller()
const pump = { deviceId: 9, fromKpa: 60, toKpa: 40 }

/** Commands that accept heads inside a range, kPa. */
const within = (minKpa: number, maxKpa: number) => ({
  requireHead: async (_caller: unknown, { headKpa }: { readonly headKpa: number }) => {
    if (headKpa < minKpa || headKpa > maxKpa) throw new AppError('command.head-outside', { minKpa, maxKpa })
  },
})

test('a pump returns to its previous head if the limits allow it', async () => {
  expect(await findRollbackHead(within(30, 70), caller, pump)).toEqual(pump)
})

test('a pump returns to the nearest allowed head, and the wanted one is recorded', async () => {
  expect(await findRollbackHead(within(45, 70), caller, pump)).toEqual({ ...pump, toKpa: 45, wantedKpa: 40 })
  const up = { deviceId: 9, fromKpa: 40, toKpa: 60 }
  expect(await findRollbackHead(within(30, 55), caller, up)).toEqual({ ...up, toKpa: 55, wantedKpa: 60 })
})

test('a pump stays if no allowed head is nearer than the present one', async () => {
  expect(await findRollbackHead(within(58, 70), caller, pump)).toBeUndefined()
  expect(await findRollbackHead(within(80, 90), caller, pump)).toBeUndefined()
})

test('a pump that is refused for another reason than its limits is not sent to the nearest head', async () => {
  let calls = 0
  const held = {
    requireHead: async () => {
      calls += 1
      if (calls === 1) throw new AppError('command.held', { minKpa: 45, maxKpa: 70 })
    },
  }
  expect(await findRollbackHead(held, caller, pump)).toBeUndefined()
})

test('a pump that accepts no command stays, and an unexpected failure is not hidden', async () => {
  const refuse = (error: Error) => ({ requireHead: () => Promise.reject(error) })
  const limits = { minKpa: 45, maxKpa: 70 }
  for (const error of [
    new AppError('command.held', limits),
    new AppError('command.head-outside', { minKpa: 45 }),
    new AppError('command.head-outside', { maxKpa: 70 }),
    // The nearest head is refused too.
    new AppError('command.head-outside', limits),
  ]) {
    expect(await findRollbackHead(refuse(error), caller, pump)).toBeUndefined()
  }
  const failure = new Error('no database')
  await expect(findRollbackHead(refuse(failure), caller, pump)).rejects.toBe(failure)
})
