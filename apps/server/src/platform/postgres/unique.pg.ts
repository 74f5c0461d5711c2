import type { FieldName } from '@isotherm/contract/locales/error-param'
import { z } from 'zod'
import { AppError } from '../app-error.ts'

const violation = z.object({ code: z.literal('23505'), constraint: z.string() })

/** Name of the violated unique constraint; undefined for any other failure. */
export function toViolated(error: unknown): string | undefined {
  const known = violation.safeParse(error)
  return known.success ? known.data.constraint : undefined
}

/**
 * Awaits a change that a unique constraint may reject. Throws entity.taken with the field that `fields` gives for the
 * violated constraint; other failures pass through.
 */
export async function refuseDuplicates<Result>(
  fields: Readonly<Record<string, FieldName>>,
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
