import type { ErrorCode } from '@isotherm/contract/errors'
import { ApiError } from '../../../shared/api/api-error.ts'

/** The answer, or null if the server refuses with the given not-found code. */
export async function nullIfMissing<Answer>(
  answer: Promise<Answer>,
  code: ErrorCode,
): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null
    throw error
  }
}
