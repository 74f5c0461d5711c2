import { AppError } from '../../../platform/app-error.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import type { Gateway } from './find-gateway.pg.ts'

/** The error for a password that was already shown: to which account, and when in the company's local time. */
export function toShownError({
  name,
  timeZone,
  shown,
}: Pick<Gateway, 'name' | 'timeZone' | 'shown'>): AppError {
  const local = new Date(createTimeZone(timeZone).toLocal(shown?.at ?? 0)).toISOString()
  const at = `${local.slice(0, 10)} ${local.slice(11, 16)}`
  return new AppError('device.login-shown', { device: name, at, by: shown?.by ?? '' })
}
