import { getRoomCompliance } from '@isotherm/contract/endpoints/monitoring/rooms'
import { test } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { expectTurns } from '../../platform/tasks/turns/turns.testkit.ts'
import { createRoomsHandlers } from './handlers.ts'

test('callers take turns at the compliance of rooms', async () => {
  await expectTurns((work) => {
    // Nothing else is called.
    const handlers = createRoomsHandlers({ compliance: { getCompliance: work } } as never)
    return () => handlers.getRoomCompliance(getRoomCompliance.input.parse({ nodes: [] }), createTestCall())
  })
})
