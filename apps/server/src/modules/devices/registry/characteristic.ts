import { findCurveFault, type ValveCharacteristic } from '@isotherm/contract/valve-characteristic'
import { AppError } from '../../../platform/app-error.ts'

/** Throws device.bad-curve for points that are no measured curve. */
export function checkCharacteristic(characteristic: ValveCharacteristic | null | undefined): void {
  if (characteristic?.kind !== 'measured') return
  const fault = findCurveFault(characteristic.points)
  if (fault) throw new AppError('device.bad-curve', { fault })
}

/** The stored text of a characteristic. */
export const toStored = (characteristic: ValveCharacteristic | null | undefined): string | null =>
  characteristic ? JSON.stringify(characteristic) : null
