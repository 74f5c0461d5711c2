import type { TargetFault } from '@isotherm/contract/alarms/alarms'
import { ForbiddenAddressError } from './target-address.ts'

/** A failed delivery. Users only see `fault`: the answers of an internal network must not reach them. */
export class DeliveryError extends Error {
  readonly fault: TargetFault
  /** Receivers of the message that were reached all the same: a later attempt leaves them out. */
  readonly reached: readonly string[]

  constructor(fault: TargetFault, cause?: unknown, reached: readonly string[] = []) {
    super(fault, { cause })
    this.name = 'DeliveryError'
    this.fault = fault
    this.reached = reached
  }
}

const faults: Readonly<Record<string, TargetFault>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EACCES: 'unreachable',
  ENOTFOUND: 'unknown name',
  EAI_AGAIN: 'unknown name',
  EAI_FAIL: 'unknown name',
  EAI_NODATA: 'unknown name',
  // Of the mail client.
  EDNS: 'unknown name',
  ETIMEDOUT: 'timed out',
  ABORT_ERR: 'timed out',
}

const UNTRUSTED = /CERT|^ERR_(?:TLS|SSL)|^UNABLE_TO|^EPROTO$/

/** Converts a failure of a request to a DeliveryError. */
export function toDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error
  if (error instanceof ForbiddenAddressError) return new DeliveryError('address not allowed', error)
  if (error instanceof Error && error.name === 'TimeoutError') return new DeliveryError('timed out', error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const fault = faults[code] ?? (UNTRUSTED.test(code) ? 'untrusted certificate' : 'no answer')
  return new DeliveryError(fault, error)
}
