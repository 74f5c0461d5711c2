import { expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import type { Operation } from '../operation/operation.ts'
import { withOperationLog } from './log-operation.ts'

const operation = { endpoint: 'login', account: 'somebody', requestId: '1', isRecorded: false } as Operation

test.each([
  ['session.bad-credentials', 1],
  ['session.slowed', 0],
  ['request.malformed', 0],
] as const)('a call that fails with %s has %d log entries', async (code, count) => {
  const recorded: unknown[] = []
  const call = withOperationLog(
    {
      operation,
      endpoint: { effect: 'changes' },
      recordOperation: async (_, result) => void recorded.push(result),
      log: { error: () => undefined } as never,
    },
    () => Promise.reject(new AppError(code)),
  )
  await expect(call).rejects.toMatchObject({ code })
  expect(recorded).toHaveLength(count)
})
