import type { Device, DeviceKind, DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { computeFigures } from './network-figures.ts'

const NOW = 1_763_683_200_000

const device = (id: number, kind: DeviceKind): Device => ({
  id,
  imei: `imei-${id}`,
  kind,
  name: `${kind} ${id}`,
  model: 'M',
  node: '1',
  nestaddr: '集团,公司',
  periodS: 10,
  description: '',
  use: 'in-use',
  version: 1,
  abilities: [],
})

const reading = (deviceId: number, metric: MetricName, value: number, ageS = 1): [number, DeviceState] => [
  deviceId,
  { deviceId, ts: NOW - ageS * 1_000, quality: 0, metrics: { [metric]: value } },
]

test('a late or silent device is counted as such and goes into no figure', () => {
  const devices = [device(1, 'valve'), device(2, 'valve'), device(3, 'valve'), device(4, 'valve')]
  const states = new Map([
    reading(1, 'temp.return', 38),
    reading(2, 'temp.return', 42),
    reading(3, 'temp.return', 90, 31),
  ])
  const figures = computeFigures(devices, states, NOW)
  expect(figures.valves).toEqual({ total: 4, online: 2, stale: 2 })
  expect(figures.returnSpread).toMatchObject({ count: 2, mean: 40, deviation: 2 })
})

test('a room at exactly 18 °C is warm enough', () => {
  const devices = [device(1, 'room-sensor'), device(2, 'room-sensor'), device(3, 'room-sensor')]
  const states = new Map([
    reading(1, 'temp.room', 18),
    reading(2, 'temp.room', 17.9),
    reading(3, 'temp.room', 21),
  ])
  const figures = computeFigures(devices, states, NOW)
  expect(figures.warmShare).toBeCloseTo(2 / 3)
  expect(figures.roomSpread?.median).toBe(18)
})

test('heat is the sum of the meters, and of no meters it is absent', () => {
  const devices = [device(1, 'heat-meter'), device(2, 'heat-meter')]
  const states = new Map([reading(1, 'heat.power', 120), reading(2, 'heat.power', 80)])
  expect(computeFigures(devices, states, NOW).totalPowerKw).toBe(200)
  expect(computeFigures(devices, new Map(), NOW)).toMatchObject({
    totalPowerKw: undefined,
    warmShare: undefined,
  })
})

test('a station stays listed when it is late', () => {
  const figures = computeFigures([device(1, 'station')], new Map(), NOW)
  expect(figures.stations).toMatchObject([{ isStale: true, state: undefined }])
})
