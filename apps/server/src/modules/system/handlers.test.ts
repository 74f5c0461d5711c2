import { getOperations } from '@isotherm/contract/endpoints/administration/operations'
import { test } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { expectTurns } from '../../platform/tasks/turns/turns.testkit.ts'
import { createSystemHandlers } from './handlers.ts'

test('callers take turns at searches of the operation log', async () => {
  const input = getOperations.input.parse({})
  await expectTurns((work) => {
    // Nothing else is called.
    const handlers = createSystemHandlers({ log: { search: work } } as never)
    return () => handlers.getOperations(input, createTestCall())
  })
})
