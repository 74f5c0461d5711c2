import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitPart, toRun, unite } from './rollup-parts.ts'

const ids = fc
  .array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 80 })
  .map((devices) => devices.sort((a, b) => a - b))

test('the runs of a part follow each other without a gap, from its first device to its last', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 500 }), (devices, count) => {
      const part = { fromS: 0, toS: 3_600, devices }
      const runs = splitPart(part, count)
      expect(runs.length).toBeLessThanOrEqual(Math.max(1, count))
      expect(runs[0]?.firstDevice).toBe(toRun(part).firstDevice)
      expect(runs.at(-1)?.lastDevice).toBe(toRun(part).lastDevice)
      for (const [index, { firstDevice, lastDevice }] of runs.entries()) {
        expect(lastDevice).toBeGreaterThanOrEqual(firstDevice)
        if (index > 0) expect(firstDevice).toBe((runs[index - 1]?.lastDevice ?? 0) + 1)
      }
    }),
  )
})

test('runs have about the same number of devices, wherever their ids are', () => {
  const devices = [...Array.from({ length: 64 }, (_, index) => index * 10), 1_000_000]
  const runs = splitPart({ fromS: 0, toS: 3_600, devices }, 8)
  expect(runs.map(({ firstDevice }) => firstDevice)).toEqual([0, 80, 160, 240, 320, 400, 480, 560])
})

test('united parts contain all devices and all time in between', () => {
  const parts = [
    { fromS: 7_200, toS: 10_800, devices: [5, 9] },
    { fromS: 0, toS: 3_600, devices: [2, 7] },
  ]
  expect(unite(parts)).toEqual({ fromS: 0, toS: 10_800, devices: [2, 5, 7, 9] })
})
