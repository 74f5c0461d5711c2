import type { z } from 'zod'
import { AppError } from '../../app-error.ts'

const MAX_DETAIL = 200

type Issue = z.core.$ZodIssue

const types: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

/** Value at a path of an input. */
const readAt = (raw: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  )

/** Word for what a bound counts; empty for numbers. */
const counted = (origin: string): string =>
  ({ string: ' characters', array: ' items', set: ' items' })[origin] ?? ''

/** What is wrong, in a sentence that errors can translate (contract, locales/requests/malformed.zh.ts). */
function toReason(issue: Issue, raw: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return readAt(raw, issue.path) === undefined ? 'is missing' : (types[issue.expected] ?? 'is not valid')
    case 'too_small': {
      const unit = counted(issue.origin)
      if (unit) return `must have at least ${issue.minimum}${unit}`
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    }
    case 'too_big': {
      const unit = counted(issue.origin)
      if (unit) return `must have at most ${issue.maximum}${unit}`
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    }
    case 'invalid_format':
      return 'has the wrong format'
    case 'invalid_value':
      return readAt(raw, issue.path) === undefined ? 'is missing' : 'is not one of the allowed values'
    case 'unrecognized_keys':
      return 'has unknown fields'
    default:
      return 'is not valid'
  }
}

/** Place and reason of the first fault of a value, without the value itself; undefined if it has none. */
export function findFault(schema: z.ZodType, given: unknown): string | undefined {
  const parsed = schema.safeParse(given)
  if (parsed.success) return undefined
  const [first] = parsed.error.issues
  const place = first?.path.map(String).join('.') || 'body'
  return `${place}: ${first ? toReason(first, given) : 'is not valid'}`.slice(0, MAX_DETAIL)
}

/** Parses a body or query by its schema. Throws request.malformed with the place and reason of the first fault. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.infer<Schema> {
  const given = raw ?? {}
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('request.malformed', { detail: findFault(schema, given) ?? 'is not valid' })
}
