import type { DeviceKind } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import type { Condition } from './device-counts.ts'
import { createFigureTally } from './figure-tally.ts'

type Given = readonly [kind: DeviceKind, metric: MetricName, value: number | undefined, condition?: Condition]

function count(...devices: readonly Given[]) {
  const tally = createFigureTally((id, wanted) => {
    const [, metric, value] = devices[id - 1] ?? []
    return metric === wanted ? (value ?? Number.NaN) : Number.NaN
  })
  for (const [index, [kind, , , condition = 'good']] of devices.entries())
    tally.add({ id: index + 1, kind, condition })
  return tally.read()
}

test('only devices in good condition are part of a figure; silent and unknown ones are counted apart, bad ones as online', () => {
  const figures = count(
    ['valve', 'temp.return', 38],
    ['valve', 'temp.return', 42],
    ['valve', 'temp.return', 90, 'silent'],
    ['valve', 'temp.return', 91, 'unknown'],
    ['valve', 'temp.return', 92, 'bad'],
    ['valve', 'temp.return', undefined, 'silent'],
    ['valve', 'valve.opening', 40],
  )
  expect(figures.valves).toEqual({ total: 7, online: 4, silent: 2, unknown: 1 })
  expect(figures.returnTemps).toMatchObject({ count: 2, mean: 40, deviation: 2 })
})

test('a room at exactly 18 °C is warm enough', () => {
  const figures = count(
    ['room-sensor', 'temp.room', 18],
    ['room-sensor', 'temp.room', 17.9],
    ['room-sensor', 'temp.room', 21],
    ['room-sensor', 'temp.room', 16, 'silent'],
  )
  expect(figures.warmShare).toBeCloseTo(2 / 3)
  expect(figures.roomTemps).toMatchObject({ count: 3, median: 18 })
  expect(figures.rooms).toEqual({ total: 4, online: 3, silent: 1, unknown: 0 })
})

test('heat is the sum of the meters, and absent without meters', () => {
  const meters = count(['heat-meter', 'heat.power', 120], ['heat-meter', 'heat.power', 80])
  expect(meters).toMatchObject({ powerKw: 200, meters: { total: 2, online: 2 } })
  expect(count()).toEqual({
    valves: meters.valves,
    rooms: meters.rooms,
    stationIds: [],
    meters: { total: 0, online: 0, silent: 0, unknown: 0 },
    returnTemps: null,
    roomTemps: null,
    warmShare: null,
    powerKw: null,
  })
})

test('values of other kinds do not count for valves, and stations are listed in their order', () => {
  const figures = count(
    ['station', 'temp.return', 50],
    ['heat-meter', 'temp.return', 50],
    ['concentrator', 'bat.v', 3.6],
    ['station', 'heat.power', 900, 'silent'],
  )
  expect(figures).toMatchObject({
    returnTemps: null,
    powerKw: null,
    valves: { total: 0 },
    stationIds: [1, 4],
  })
})
