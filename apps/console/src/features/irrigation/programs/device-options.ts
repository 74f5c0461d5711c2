import type { IrrigationSource, SensorPart } from '@isotherm/contract/irrigation'

/** Devices to choose from, each with the last names of its place. */
export const toDeviceOptions = (devices: IrrigationSource['candidates']) =>
  devices.map(({ deviceId, deviceName, nestaddr }) => ({
    value: deviceId,
    label: `${nestaddr.split(',').slice(-2).join(' / ')} · ${deviceName}`,
  }))

/** Sensors that can be a part, as far as it is known what they measure, and those that are it already. */
export const toSensorOptions = (
  sensors: IrrigationSource['sensors'],
  part: SensorPart,
  own: readonly (number | undefined)[],
) =>
  toDeviceOptions(
    sensors.filter(({ deviceId, parts }) => parts?.includes(part) !== false || own.includes(deviceId)),
  )
