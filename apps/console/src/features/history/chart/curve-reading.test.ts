import { HOUR_MS } from '@isotherm/kernel/durations'
import { describe, expect, test } from 'vitest'
import type { Curve, Point } from '../curves/history-series.ts'
import type { ChartLine } from './chart-option.ts'
import { readCurves } from './curve-reading.ts'

const line = (points: readonly Point[], more: Partial<Curve> = {}): ChartLine => ({
  panel: 0,
  name: 'supply',
  color: '#d0533a',
  dash: 'solid',
  metric: 'temp.supply',
  curve: { deviceId: 1, metric: 'temp.supply', points: [...points], downsampled: false, ...more },
})
const values = (lines: readonly ChartLine[], at: number) =>
  readCurves(lines, at)?.rows.map(({ value }) => value)

describe('readings', () => {
  const lines = [
    line([
      [100, 40, 0],
      [200, 41, 4],
      [400, 42, 0],
    ]),
  ]

  test('are those of the nearest point, also before the first and after the last point', () => {
    expect([0, 149, 151, 290, 310, 9_000].map((at) => values(lines, at))).toEqual([
      [40],
      [40],
      [41],
      [41],
      [42],
      [42],
    ])
  })

  test('have name, colour and quality, and the newest instant of several curves', () => {
    expect(readCurves([...lines, line([[210, 30, 0]])], 205)).toMatchObject({
      ts: 210,
      rows: [
        { label: 'supply', color: '#d0533a', metric: 'temp.supply', value: 41, quality: 4 },
        { value: 30, quality: 0 },
      ],
    })
  })

  test('do not exist for a curve without points, or without curves', () => {
    expect(readCurves([line([])], 100)).toBeUndefined()
    expect(readCurves([], 100)).toBeUndefined()
    expect(values([line([]), ...lines], 100)).toEqual([40])
  })
})

test('means have their range, and missing buckets have no reading', () => {
  const points: readonly Point[] = [
    [0, 40, 0],
    [HOUR_MS, 41, 0],
    [5 * HOUR_MS, 42, 0],
  ]
  const bands = [
    [39, 41],
    [40, 42],
    [41, 43],
  ] as const
  const lines = [line(points, { bucket: 'hour', bands })]
  expect(readCurves(lines, HOUR_MS * 1.2)?.rows).toMatchObject([{ value: 41, band: [40, 42] }])
  expect(readCurves(lines, 3 * HOUR_MS)).toBeUndefined()
})
