import { z } from 'zod'
import type { AppError } from '../app-error.ts'

const violation = z.object({ code: z.literal('23503') })

/**
 * Does a removal that something else may still refer to; any other failure is passed on. Throws what `toError`
 * makes of it.
 */
export async function unlessUsed<Result>(
  removal: Promise<Result>,
  toError: (cause: unknown) => AppError,
): Promise<Result> {
  try {
    return await removal
  } catch (error) {
    throw violation.safeParse(error).success ? toError(error) : error
  }
}
