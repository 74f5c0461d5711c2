import { expect, test } from 'vitest'
import { toSensorOptions } from './device-options.ts'

const at = (deviceId: number) => ({ deviceId, deviceName: `S${deviceId}`, nestaddr: '苗圃,泵房' })

test('a sensor is offered for what its profile reports, for anything without a profile, and where it is already', () => {
  const sensors = [at(1), { ...at(2), parts: ['meter' as const] }, { ...at(3), parts: [] }]
  const idsOf = (...given: Parameters<typeof toSensorOptions>) =>
    toSensorOptions(...given).map(({ value }) => value)
  expect(idsOf(sensors, 'meter', [undefined])).toEqual([1, 2])
  expect(idsOf(sensors, 'rain', [undefined])).toEqual([1])
  expect(idsOf(sensors, 'meter', [3])).toEqual([1, 2, 3])
})
