import type { DeviceState } from '@isotherm/contract/devices'
import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toTrust } from './device-trust.ts'

const NOW = 1_763_683_200_000
const device = { periodS: 10 }
const stateOf = (over: Partial<DeviceState>): DeviceState => ({
  deviceId: 1,
  ts: NOW - 1_000,
  quality: 0,
  metrics: {},
  ...over,
})

test('a reading is live up to three report periods and stale after', () => {
  expect(toTrust(device, stateOf({ ts: NOW - 30_000 }), NOW)).toBe('live')
  expect(toTrust(device, stateOf({ ts: NOW - 30_001 }), NOW)).toBe('stale')
})

test('a device that never reported has the trust never', () => {
  expect(toTrust(device, undefined, NOW)).toBe('never')
})

test('absence outweighs age, and a silent device differs from one behind a silent concentrator', () => {
  expect(toTrust(device, stateOf({ absence: 'silent' }), NOW)).toBe('silent')
  const old = stateOf({ absence: 'unknown', ts: NOW - HOUR_MS })
  expect(toTrust(device, old, NOW)).toBe('unknown')
})

test('a faulty sensor makes a fresh reading doubtful, a corrected clock does not', () => {
  expect(toTrust(device, stateOf({ quality: quality.sensorFault }), NOW)).toBe('doubtful')
  expect(toTrust(device, stateOf({ quality: quality.clockCorrected }), NOW)).toBe('live')
})
