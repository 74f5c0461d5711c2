import { getHeatSaving } from '@isotherm/contract/endpoints/control/savings'
import { test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { expectTurns } from '../../../platform/tasks/turns/turns.testkit.ts'
import { createSavingsHandlers } from './handlers.ts'

test('callers take turns at savings of heat', async () => {
  await expectTurns((work) => {
    const handlers = createSavingsHandlers({ getSaving: work, setPrice: work })
    const input = getHeatSaving.input.parse({ deviceId: 1 })
    return () => handlers.getHeatSaving(input, createTestCall())
  })
})
