import type { Device, OpeningLimits } from '@isotherm/contract/devices'
import { AppError } from '../../platform/app-error.ts'

const fullRange: OpeningLimits = { minPct: 0, maxPct: 100 }

/** Throws device.not-controllable or command.outside-limits when the device may not be told to take the opening. */
export function checkOpening(device: Device, openingPct: number): void {
  if (device.kind !== 'valve' || device.use === 'retired')
    throw new AppError('device.not-controllable', { device: device.name })
  const { minPct, maxPct } = device.limits ?? fullRange
  if (openingPct < minPct || openingPct > maxPct) {
    throw new AppError('command.outside-limits', { device: device.name, minPct, maxPct })
  }
}
