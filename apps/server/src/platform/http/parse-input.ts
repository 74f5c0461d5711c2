import type { z } from 'zod'
import { AppError } from '../app-error.ts'

const MAX_DETAIL = 200

/**
 * Parses a body or query by its schema. Throws request.malformed with the place and reason of the first fault, without the
 * value itself.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(raw ?? {})
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  const place = first?.path.map(String).join('.') || 'body'
  throw new AppError('request.malformed', {
    detail: `${place}: ${first?.message ?? 'invalid'}`.slice(0, MAX_DETAIL),
  })
}
