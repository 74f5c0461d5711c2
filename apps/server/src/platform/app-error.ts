import type { ErrorCode, ErrorParams } from '@isotherm/contract/errors'

/** A failure that is reported to the caller: a code of the contract's error table and the values of its text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: ErrorParams

  constructor(code: ErrorCode, params: ErrorParams = {}, options?: { readonly cause: unknown }) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.params = params
  }
}
