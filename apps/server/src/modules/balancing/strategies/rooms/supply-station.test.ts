import type { DeviceState } from '@isotherm/contract/devices'
import { expect, test } from 'vitest'
import { showStation } from './supply-station.ts'

const show = (metrics: DeviceState['metrics'], more: Partial<DeviceState> = {}) =>
  showStation({ find: () => ({ deviceId: 1, version: 1, ts: 0, quality: 0, metrics, ...more }) }, 1)

test('the head of a station is the one that its controller holds, or the measured one at a fixed speed', () => {
  const pressures = { 'pressure.supply': 520, 'pressure.return': 340 }
  expect(show({ ...pressures, 'pump.target': 175, 'supply.offset': -2 })).toEqual({
    deviceId: 1,
    headKpa: 175,
    measuredKpa: 180,
    offsetK: -2,
    isPresent: true,
  })
  expect(show({ ...pressures, 'pump.target': 0 }).headKpa).toBe(180)
  expect(show({ 'pump.target': 0 }).headKpa).toBeUndefined()
  expect(show({ 'pressure.diff': 90, 'pump.target': 100 })).toMatchObject({ headKpa: 100, measuredKpa: 90 })
  // It accepts no head.
  expect(show(pressures).headKpa).toBeUndefined()
})

test('of a silent station nothing is known', () => {
  expect(show({ 'pump.target': 175, 'supply.offset': -2 }, { absence: 'silent' })).toEqual({
    deviceId: 1,
    headKpa: undefined,
    measuredKpa: undefined,
    offsetK: undefined,
    isPresent: false,
  })
})
