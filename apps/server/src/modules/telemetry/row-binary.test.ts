import { expect, test } from 'vitest'
import { countMonths } from './row-binary.ts'
import { createTestDirectory } from './test-field.ts'

const [device] = createTestDirectory().all

const ofInstants = (...instants: readonly string[]) => ({
  samples: device
    ? instants.map((instant) => ({ device, ts: Date.parse(instant), quality: 0, values: [] }))
    : [],
})

test.each([
  [1, ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z']],
  [2, ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z']],
  [2, ['2025-11-15T00:00:00Z', '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z']],
])('the store divides these instants into %i months, by UTC: %o', (months, instants) => {
  expect(countMonths(ofInstants(...instants))).toBe(months)
})
