import { metrics, quality } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestRollups, type TestReading } from '../../history/rollups/rollups.testkit.ts'
import { readHours } from './hours.ch.ts'

const OUTDOOR = metrics['temp.outdoor'].id
const ENERGY = metrics['heat.energy'].id
/** Twelve days before the hour of the test clock. */
const FROM = Date.UTC(2026, 10, 9, 4)
const DAYS = 12

let field: Awaited<ReturnType<typeof createTestRollups>>
beforeAll(async () => {
  field = await createTestRollups()
  await field.insert(
    Array.from({ length: DAYS * 24 * 4 }, (_, step): TestReading[] => {
      const at = FROM + (step * HOUR_MS) / 4
      return [
        [1, OUTDOOR, at, -4 + (step % 4)],
        [1, OUTDOOR, at + 60_000, 40, quality.implausible],
        [2, ENERGY, at, 1_000 + step],
      ]
    }).flat(),
  )
  await field.rollups().pass()
})
afterAll(() => field.close())

test('reads the means and last values of the hours of each range, from trusted readings only', async () => {
  const ranges = [
    { from: FROM, to: FROM + 2 * DAY_MS },
    { from: FROM + 5 * DAY_MS, to: FROM + 6 * DAY_MS },
  ]
  const hours = await readHours(field.client, [1, 2], ['temp.outdoor', 'heat.energy'], ranges)
  const outdoor = hours(1, 'temp.outdoor')
  expect(outdoor?.size).toBe(72)
  expect(outdoor?.get(FROM)).toEqual({ mean: -2.5, last: -1 })
  expect(outdoor?.has(FROM + 3 * DAY_MS)).toBe(false)
  expect(hours(2, 'heat.energy')?.get(FROM + HOUR_MS)?.last).toBe(1_007)
  expect(hours(2, 'temp.outdoor')).toBeUndefined()
})
