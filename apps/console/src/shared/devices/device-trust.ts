import { type Device, type DeviceState, isStale } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'

/**
 * How far an operator may trust a row. `silent`: the device missed its reports. `unknown`: its concentrator is silent, so
 * the state of the device is not known. `never`: the device has never reported.
 */
export type Trust = 'live' | 'doubtful' | 'stale' | 'silent' | 'unknown' | 'never'

/** Trust in the newest values at `now` (Unix ms). Absence outweighs age, and age outweighs quality. */
export function toTrust(device: Pick<Device, 'periodS'>, state: DeviceState | undefined, now: number): Trust {
  if (!state) return 'never'
  if (state.absence) return state.absence
  if (isStale(state.ts, device.periodS, now) || (state.quality & quality.stale) !== 0) return 'stale'
  return (state.quality & DOUBTFUL_QUALITY) === 0 ? 'live' : 'doubtful'
}
