import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countRollupRows, findBetween } from './rollup-queries.ch.ts'
import type { RollupLevel, RollupRun } from './rollup-types.ts'
import { createTestRollups, type TestReading, ZONE } from './rollups.testkit.ts'

const ROOM = 12
const YEAR = Date.UTC(2026, 0)

let store: Awaited<ReturnType<typeof createTestRollups>>

beforeAll(async () => {
  store = await createTestRollups()
})
afterAll(() => store.close())
beforeEach(() => store.client.command({ query: 'TRUNCATE TABLE readings' }))

const hour = fc.integer({ min: 0, max: 365 * 24 })
const reading = fc.record({ device: fc.integer({ min: 1, max: 2 ** 32 - 1 }), hour })

test('every reading of a range belongs to exactly one part, and months without readings have no part', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(reading, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 2 }),
      hour,
      hour,
      async (inserts, fromH, toH) => {
        await store.client.command({ query: 'TRUNCATE TABLE readings' })
        for (const rows of inserts) {
          await store.insert(rows.map((row): TestReading => [row.device, ROOM, YEAR + row.hour * HOUR_MS, 1]))
        }
        const [fromS, toS] = [YEAR / 1000 + fromH * 3_600, YEAR / 1000 + toH * 3_600]
        const parts = await findBetween(store.client, fromS, toS)
        const toMonth = (atS: number) => new Date(atS * 1000).getUTCMonth()
        const all = inserts.flat().map((row) => ({ ...row, atS: YEAR / 1000 + row.hour * 3_600 }))
        const months = new Set(all.map(({ atS }) => toMonth(atS)))
        for (const { devices, ...part } of parts) {
          expect(part.fromS).toBeGreaterThanOrEqual(fromS)
          expect(part.toS).toBeLessThanOrEqual(toS)
          expect(part.fromS).toBeLessThan(part.toS)
          expect(months).toContain(toMonth(part.fromS))
          expect(devices).toEqual(devices.toSorted((a, b) => a - b))
        }
        for (const { device, atS } of all.filter((row) => row.atS >= fromS && row.atS < toS)) {
          const holding = parts.filter((part) => part.fromS <= atS && atS < part.toS)
          expect(holding).toHaveLength(1)
          expect(holding[0]?.devices[0]).toBeLessThanOrEqual(device)
          expect(holding[0]?.devices.at(-1)).toBeGreaterThanOrEqual(device)
        }
      },
    ),
    { numRuns: 8 },
  )
})

test('a part with many readings is split between its devices', async () => {
  const devices = Array.from({ length: 40_000 }, (_, index) => index + 1)
  await store.insert(devices.map((device): TestReading => [device, ROOM, YEAR, 1]))
  await store.insert(devices.map((device): TestReading => [device, ROOM, YEAR + HOUR_MS, 1]))
  const [part, ...others] = await findBetween(store.client, YEAR / 1000, YEAR / 1000 + 7_200)
  expect(others).toEqual([])
  expect(part?.devices[0]).toBe(1)
  expect(part?.devices.at(-2)).toBe(40_000)
  const middle = part?.devices[32] ?? 0
  expect(middle).toBeGreaterThan(10_000)
  expect(middle).toBeLessThan(30_000)
})

test('counting the rows of a whole month gives the same number as counting the hours with readings', async () => {
  const devices = Array.from({ length: 40_000 }, (_, index) => index + 1)
  await store.insert(devices.map((device): TestReading => [device, ROOM, YEAR + 5 * HOUR_MS, 1]))
  const all = { firstDevice: 0, lastDevice: 2 ** 32 - 1 }
  const month = { fromS: YEAR / 1000, toS: Date.UTC(2026, 1) / 1000, ...all }
  const countRows = (level: RollupLevel, run: RollupRun) =>
    countRollupRows(store.client, ZONE, { level, run })
  expect(await countRows('hours', month)).toBe(40_000)
  await store.buildRun({ level: 'hours', run: month })
  expect(await countRows('days', month)).toBe(40_000)
  const hours = { fromS: YEAR / 1000 + 5 * 3_600, toS: YEAR / 1000 + 6 * 3_600, ...all }
  expect(await countRows('hours', hours)).toBe(40_000)
})
