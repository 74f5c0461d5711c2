import { type MetricName, quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { findConfirmingValues } from './confirming-readings.ts'

const read = (kind: 'valve' | 'station', values: Partial<Record<MetricName, number>>, bits: number = 0) =>
  findConfirmingValues({
    device: { id: 1, kind, concentratorId: undefined },
    ts: 0,
    values: Object.entries(values).map(([metric, value]) => ({
      metric: metric as MetricName,
      value,
      quality: bits,
    })),
  })

test('an opening confirms a command, also if the clock of its gateway was corrected', () => {
  expect(read('valve', { 'valve.opening': 40 }).openingPct).toBe(40)
  expect(read('valve', { 'valve.opening': 40 }, quality.clockCorrected).openingPct).toBe(40)
})

test.each(['stale', 'substituted', 'maintenance', 'implausible', 'outOfRange', 'sensorFault'] as const)(
  'a value with quality %s confirms nothing',
  (name) => {
    expect(read('valve', { 'valve.opening': 40 }, quality[name]).openingPct).toBeUndefined()
  },
)

test('only a station has a head', () => {
  const pressures = { 'pressure.supply': 400, 'pressure.return': 300 } as const
  expect(read('station', pressures).headKpa).toBe(100)
  expect(read('valve', pressures).headKpa).toBeUndefined()
  expect(read('station', pressures, quality.stale).headKpa).toBeUndefined()
})

test('only a station has an offset of its heating curve', () => {
  expect(read('station', { 'supply.offset': 1.5 }).offsetK).toBe(1.5)
  expect(read('station', { 'supply.offset': 0 }).offsetK).toBe(0)
  expect(read('valve', { 'supply.offset': 1.5 }).offsetK).toBeUndefined()
  expect(read('station', { 'supply.offset': 1.5 }, quality.stale).offsetK).toBeUndefined()
})
