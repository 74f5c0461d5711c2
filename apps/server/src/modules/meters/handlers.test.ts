import { getMeterCourse, getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { test } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { expectTurns } from '../../platform/tasks/turns/turns.testkit.ts'
import { createMetersHandlers } from './handlers.ts'

test('callers take turns at the heat of meters', async () => {
  // Nothing else is called.
  const nothing = undefined as never
  await expectTurns((work) => {
    const handlers = createMetersHandlers({ getRows: work, getCourse: work }, nothing)
    const rows = getMeterRows.input.parse({ nodes: [], level: 'household' })
    return () => handlers.getMeterRows(rows, createTestCall())
  })
  await expectTurns((work) => {
    const handlers = createMetersHandlers({ getRows: work, getCourse: work }, nothing)
    const course = getMeterCourse.input.parse({
      deviceId: 1,
      level: 'day',
      from: '2026-11-01',
      to: '2026-11-02',
    })
    return () => handlers.getMeterCourse(course, createTestCall())
  })
})
