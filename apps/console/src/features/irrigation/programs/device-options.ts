import type { IrrigationSource } from '@isotherm/contract/irrigation'

/** Devices to choose from, each with the last names of its place. */
export const toDeviceOptions = (devices: IrrigationSource['candidates']) =>
  devices.map(({ deviceId, deviceName, nestaddr }) => ({
    value: deviceId,
    label: `${nestaddr.split(',').slice(-2).join(' / ')} · ${deviceName}`,
  }))
