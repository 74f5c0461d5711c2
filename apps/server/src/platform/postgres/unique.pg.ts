import { z } from 'zod'
import { AppError } from '../app-error.ts'

const violation = z.object({ code: z.literal('23505'), constraint: z.string() })

/** The unique constraint that refused a change; undefined for any other failure. */
export function toViolated(error: unknown): string | undefined {
  const known = violation.safeParse(error)
  return known.success ? known.data.constraint : undefined
}

/**
 * Does a change that a unique constraint may refuse. `fields` names the field to blame by constraint; any other
 * failure is passed on. Throws entity.taken.
 */
export async function orTaken<Result>(
  fields: Readonly<Record<string, string>>,
  change: Promise<Result>,
): Promise<Result> {
  try {
    return await change
  } catch (error) {
    const violated = toViolated(error)
    const field = violated !== undefined && Object.hasOwn(fields, violated) ? fields[violated] : undefined
    if (field === undefined) throw error
    throw new AppError('entity.taken', { field }, { cause: error })
  }
}
