import type { Device } from '@isotherm/contract/devices'
import type { RealDevice } from '@isotherm/contract/endpoints/monitoring/real-values'

/** The instant of the samples, Unix ms. */
export const NOW = Date.now()

/** A valve that reports every 15 min. */
export const sampleDevice = (over: Partial<Device> = {}): Device => ({
  id: 1,
  imei: 'V-301',
  kind: 'valve',
  name: '入户阀',
  model: 'HV-25',
  node: '5',
  nestaddr: '集团,公司,东区,一号站,阳光小区,3号楼,1单元',
  periodS: 900,
  description: '',
  use: 'in-use',
  version: 4,
  abilities: ['control', 'edit', 'remove'],
  ...over,
})

/** The valve with values that are one second old. */
export const sampleReal = (device: Partial<Device> = {}, over: Partial<RealDevice> = {}): RealDevice => {
  const { id, ...rest } = sampleDevice(device)
  return {
    device: { id, ...rest },
    state: { deviceId: id, ts: NOW - 1_000, quality: 0, metrics: { 'bat.v': 3.62, 'valve.opening': 40 } },
    presence: 'present',
    seenAt: NOW - 1_000,
    ...over,
  }
}
