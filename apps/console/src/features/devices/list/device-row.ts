import type { RealDevice } from '@isotherm/contract/endpoints/monitoring/real-values'
import { type Trust, toTrust } from '../../../shared/devices/device-trust.ts'
import type { Problems } from './problems-query.ts'

/** A device of the list with its newest values and problems. */
export interface DeviceRow extends RealDevice {
  /** Undefined while they are loading. */
  readonly problems: Problems | undefined
}

export const toDeviceRow = (real: RealDevice, problems: Problems | undefined): DeviceRow => ({
  ...real,
  problems,
})

/** The trust of a row at `now` (Unix ms). A concentrator can be present without readings of its own. */
export function toRowTrust({ device, state, presence }: DeviceRow, now: number): Trust {
  if (state) return toTrust(device, state, now)
  return presence === 'present' ? 'live' : (presence ?? 'never')
}
