import { z } from 'zod'
import { AppError } from './app-error.ts'

const violation = z.object({ code: z.literal('23505'), constraint: z.string() })

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
    const known = violation.safeParse(error)
    const field =
      known.success && Object.hasOwn(fields, known.data.constraint)
        ? fields[known.data.constraint]
        : undefined
    if (field === undefined) throw error
    throw new AppError('entity.taken', { field }, { cause: error })
  }
}
