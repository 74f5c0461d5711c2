import { ApiError } from '../../../shared/api/api-error.ts'

/**
 * What a user operation fails with (specification, section 8): when the server said no, the same error with
 * the text '{account} failure reason: {info}', which `describe` makes of the server's info; else as it is.
 */
export function toUserFailure(error: unknown, describe: (info: string) => string): unknown {
  if (!(error instanceof ApiError) || !error.isRefusal) return error
  return new ApiError(error.code, describe(error.text), error.params, { cause: error })
}
