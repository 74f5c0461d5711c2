import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { DeviceKind } from '@isotherm/contract/devices'
import { quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { listMeasured, type MeasuredValue, toSilenceKind } from './measures.ts'

function measure(device: DeviceKind, kind: AlarmKind, values: readonly MeasuredValue[]): number | undefined {
  const found = listMeasured(device).find((measured) => measured.kind === kind)
  if (!found) throw new Error(`a ${device} has no ${kind}`)
  return found.measure(values)
}

const toRoom = (bits: number): MeasuredValue => ({ metric: 'temp.room', value: 10, quality: bits })

test('a value in maintenance mode is not measured', () => {
  expect(measure('room-sensor', 'room-cold', [toRoom(0)])).toBe(10)
  expect(measure('room-sensor', 'room-cold', [toRoom(quality.maintenance)])).toBeUndefined()
})

test('a fault bit in maintenance mode is not measured', () => {
  const fault = quality.sensorFault
  expect(measure('room-sensor', 'sensor-fault', [toRoom(fault)])).toBe(1)
  expect(measure('room-sensor', 'sensor-fault', [toRoom(0)])).toBe(0)
  expect(measure('room-sensor', 'sensor-fault', [toRoom(fault | quality.maintenance)])).toBeUndefined()
})

test('a fault bit of one value is a fault of the reading, and an empty reading has none', () => {
  const battery: MeasuredValue = { metric: 'bat.v', value: 3.6, quality: 0 }
  expect(measure('room-sensor', 'sensor-fault', [battery, toRoom(quality.sensorFault)])).toBe(1)
  expect(measure('room-sensor', 'sensor-fault', [])).toBeUndefined()
})

test('a device kind is evaluated for its own alarm kinds only', () => {
  const toKinds = (device: DeviceKind) => listMeasured(device).map(({ kind }) => kind)
  expect(toKinds('room-sensor')).toContain('room-cold')
  expect(toKinds('valve')).toContain('valve-off-target')
  expect(toKinds('valve')).not.toContain('room-cold')
  expect(toKinds('room-sensor')).not.toContain('valve-off-target')
})

test('a silent concentrator has an alarm kind of its own', () => {
  expect([toSilenceKind('concentrator'), toSilenceKind('valve')]).toEqual([
    'concentrator-silent',
    'device-silent',
  ])
})

test('one value in maintenance mode excludes the fault bits of the whole reading', () => {
  const battery: MeasuredValue = { metric: 'bat.v', value: 3.6, quality: quality.maintenance }
  expect(measure('room-sensor', 'sensor-fault', [toRoom(quality.sensorFault), battery])).toBeUndefined()
})

test('the distance from the target is not measured if the opening or the target is in maintenance mode', () => {
  const toValues = (openingBits: number, targetBits: number): MeasuredValue[] => [
    { metric: 'valve.opening', value: 30, quality: openingBits },
    { metric: 'valve.target', value: 50, quality: targetBits },
  ]
  expect(measure('valve', 'valve-off-target', toValues(0, 0))).toBe(20)
  expect(measure('valve', 'valve-off-target', toValues(quality.maintenance, 0))).toBeUndefined()
  expect(measure('valve', 'valve-off-target', toValues(0, quality.maintenance))).toBeUndefined()
})
