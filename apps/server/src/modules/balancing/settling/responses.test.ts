import { metrics, quality } from '@isotherm/contract/metrics'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestRollups, type TestReading } from '../../history/rollups/rollups.testkit.ts'
import { readResponses } from './responses.ch.ts'

const STEP_MS = 600_000
const opening = metrics['valve.opening'].id
const back = metrics['temp.return'].id

let field: Awaited<ReturnType<typeof createTestRollups>>
let from: number
beforeAll(async () => {
  field = await createTestRollups()
  from = Math.floor(field.clock.now() / STEP_MS) * STEP_MS - 4 * STEP_MS
  const toReadings = (step: number, openingPct: number, returnC: number): TestReading[] => [
    [1, opening, from + step * STEP_MS + 60_000, openingPct],
    [1, back, from + step * STEP_MS + 61_000, returnC],
  ]
  await field.insert([
    ...toReadings(0, 50, 40),
    ...toReadings(1, 60, 41),
    ...toReadings(3, 60, 43),
    // For a step the last opening and the mean of trusted returns; nothing for a step without either.
    [1, opening, from + STEP_MS + 120_000, 65],
    [1, back, from + STEP_MS + 120_000, 42],
    [1, back, from + STEP_MS + 180_000, 90, quality.sensorFault],
    [1, back, from + 2 * STEP_MS + 60_000, 42.5],
    [2, opening, from + 60_000, 30],
  ])
})
afterAll(() => field.close())

it('has the last opening and the mean return of each step', async () => {
  const span = { from, to: from + 4 * STEP_MS, stepMs: STEP_MS }
  const found = await readResponses(field.client, [1, 2], span)
  expect([...found.keys()]).toEqual([1])
  expect(found.get(1)).toEqual({
    at: [from, from + STEP_MS, from + 3 * STEP_MS],
    openingPct: [50, 65, 60],
    returnC: [40, 41.5, 43],
  })
})
