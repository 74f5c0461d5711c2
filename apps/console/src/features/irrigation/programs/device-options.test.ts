import { expect, test } from 'vitest'
import { toSensorOptions } from './device-options.ts'

const at = (deviceId: number) => ({ deviceId, deviceName: `S${deviceId}`, nestaddr: '苗圃,泵房' })

test('a sensor can be chosen for what it reports, for anything without a profile, and where it is; others say why not', () => {
  const sensors = [{ ...at(3), parts: [] }, at(1), { ...at(2), parts: ['meter' as const] }]
  const toOptions = (...[part, own]: [Parameters<typeof toSensorOptions>[1], number | undefined]) =>
    toSensorOptions(sensors, part, [own], '不测')
  const idsOf = (isDisabled: boolean, options: ReturnType<typeof toOptions>) =>
    options.flatMap((option) => (isDisabled === 'disabled' in option ? [option.value] : []))
  const meters = toOptions('meter', undefined)
  expect(meters.map(({ value }) => value)).toEqual([1, 2, 3])
  expect(meters[2]).toEqual({ value: 3, label: '苗圃 / 泵房 · S3 · 不测', disabled: true })
  expect([idsOf(false, meters), idsOf(true, meters)]).toEqual([[1, 2], [3]])
  expect(idsOf(true, toOptions('rain', undefined))).toEqual([3, 2])
  expect(idsOf(true, toOptions('meter', 3))).toEqual([])
})
