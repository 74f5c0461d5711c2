import type { ErrorCode } from '@isotherm/contract/errors'
import { ApiError } from '../../../shared/api/api-error.ts'

/** The answer, or null if the server refuses with the given not-found code. */
export async function orNull<Answer>(asked: Promise<Answer>, code: ErrorCode): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null
    throw error
  }
}
