import { getQuarantine } from '@isotherm/contract/endpoints/monitoring/quarantine'
import { getRawFrames } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { test } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { expectTurns } from '../../platform/tasks/turns/turns.testkit.ts'
import { createTelemetryHandlers } from './handlers.ts'

/** A store whose first query of a list does not end. The other parts are not called. */
const toHandlers = (query: () => Promise<never>) =>
  createTelemetryHandlers({
    reading: { query },
    directory: { find: () => undefined, findById: () => undefined },
    clock: { now: () => 0 },
  } as never)
/** A scope of paths reads which messages it sees before it lists them. */
const call = createTestCall({ scope: { kind: 'paths', paths: ['/1/'] } })

test('callers take turns at quarantined messages', async () => {
  const input = getQuarantine.input.parse({})
  await expectTurns((work) => {
    const handlers = toHandlers(work)
    return () => handlers.getQuarantine(input, call)
  })
})

test('callers take turns at raw frames', async () => {
  const input = getRawFrames.input.parse({ deviceId: 1 })
  await expectTurns((work) => {
    let queries = 0
    // Each list begins with two queries, for devices and for names.
    const handlers = toHandlers(() => (queries++ % 2 === 0 ? work() : new Promise(() => undefined)))
    return () => handlers.getRawFrames(input, call)
  })
})
