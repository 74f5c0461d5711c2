import type { ErrorParams } from '@isotherm/contract/error-params'
import type { ErrorCode } from '@isotherm/contract/errors'

/** A failure the caller is told about: a code of the contract's table and the values of its text. */
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
