import { metricNames } from '@isotherm/contract/metrics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMetricCells } from './metric-cells.ts'

const put = fc.record({
  id: fc.integer({ min: 1, max: 400 }),
  metric: fc.constantFrom(...metricNames),
  value: fc.double({ noNaN: true }),
  instant: fc.integer({ min: 1, max: 4_102_444_800_000 }),
  quality: fc.integer({ min: 0, max: 127 }),
})

test('for any order of values, the cells of each device are those of a map of maps', () => {
  fc.assert(
    fc.property(fc.array(put, { maxLength: 3_000, size: 'max' }), (puts) => {
      const cells = createMetricCells()
      const expected = new Map<number, Map<string, readonly [number, number, number]>>()
      for (const { id, metric, value, instant, quality } of puts) {
        const known = cells.find(id, metric)
        cells.put(known < 0 ? cells.add(id, metric) : known, value, instant, quality)
        const ofDevice = expected.get(id) ?? new Map<string, readonly [number, number, number]>()
        expected.set(id, ofDevice.set(metric, [value, instant, quality]))
      }
      for (let id = 0; id <= 401; id += 1) {
        const stored = [...cells.list(id)].map(
          (at) =>
            [cells.metricAt(at), [cells.valueAt(at), cells.instantAt(at), cells.qualityAt(at)]] as const,
        )
        expect(new Map(stored)).toEqual(expected.get(id) ?? new Map())
        expect(cells.count(id)).toBe(stored.length)
      }
      expect(cells.highestId()).toBe(Math.max(0, ...expected.keys()))
    }),
    { numRuns: 30 },
  )
})

test('devices in many pieces keep their cells while they get more', () => {
  const cells = createMetricCells()
  const ids = Array.from({ length: 5_000 }, (_, index) => index + 1)
  for (const [index, metric] of metricNames.entries())
    for (const id of ids) cells.put(cells.add(id, metric), id + index, index + 1, 0)
  for (const id of ids)
    expect([...cells.list(id)].map(cells.valueAt)).toEqual(metricNames.map((_, index) => id + index))
})
