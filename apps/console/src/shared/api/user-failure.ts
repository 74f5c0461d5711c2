import { ApiError } from './api-error.ts'

/**
 * Error of a user operation (specification, section 8). A refusal gets the text '{account} failure reason: {info}' from
 * `describe`; other errors are unchanged.
 */
export function toUserFailure(error: unknown, describe: (info: string) => string): unknown {
  if (!(error instanceof ApiError) || !error.isRefusal) return error
  return new ApiError(error.code, describe(error.text), error.params, { cause: error })
}
