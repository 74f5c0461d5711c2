import { z } from 'zod'
import type { AppError } from '../app-error.ts'

const violation = z.object({ code: z.literal('23503') })

/**
 * Runs a removal. If another row still refers to the removed row, rejects with the error of `toError`. Other failures
 * pass through.
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
