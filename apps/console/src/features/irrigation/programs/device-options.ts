import type { IrrigationSource, SensorPart } from '@isotherm/contract/irrigation'

/** Devices to choose from, each with the last names of its place. */
export const toDeviceOptions = (devices: IrrigationSource['candidates']) =>
  devices.map(({ deviceId, deviceName, nestaddr }) => ({
    value: deviceId,
    label: `${nestaddr.split(',').slice(-2).join(' / ')} · ${deviceName}`,
  }))

/**
 * Sensors to choose a part from: first those that can be it, as far as it is known what they measure, and those that are it already. The
 * others cannot be chosen and say why.
 */
export const toSensorOptions = (
  sensors: IrrigationSource['sensors'],
  part: SensorPart,
  own: readonly (number | undefined)[],
  reason: string,
) => {
  const isSuited = ({ deviceId, parts }: IrrigationSource['sensors'][number]): boolean =>
    parts?.includes(part) !== false || own.includes(deviceId)
  const others = toDeviceOptions(sensors.filter((sensor) => !isSuited(sensor)))
  return [
    ...toDeviceOptions(sensors.filter(isSuited)),
    ...others.map(({ value, label }) => ({ value, label: `${label} · ${reason}`, disabled: true })),
  ]
}
