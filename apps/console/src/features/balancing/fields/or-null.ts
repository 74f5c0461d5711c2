import type { ErrorCode } from '@isotherm/contract/errors'
import { ApiError } from '../../../shared/api/api-error.ts'

/** An answer; null where the server refuses with a code that says there is none. */
export async function orNull<Answer>(asked: Promise<Answer>, code: ErrorCode): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null
    throw error
  }
}
