import type { z } from 'zod'

/** What is wrong with the value of a field. */
export type Fault =
  | { readonly kind: 'required' | 'format' }
  | { readonly kind: 'tooLong' | 'tooShort' | 'above' | 'below' | 'tooMany'; readonly limit: number }

/** Whether nothing was entered. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** What is wrong with a value, by the issue of its schema. */
export function toFault(issue: z.core.$ZodIssue, value: unknown): Fault {
  if (isEmpty(value)) return { kind: 'required' }
  if (issue.code === 'too_big') {
    const limit = Number(issue.maximum)
    if (issue.origin === 'string') return { kind: 'tooLong', limit }
    return { kind: issue.origin === 'array' ? 'tooMany' : 'above', limit }
  }
  if (issue.code === 'too_small')
    return { kind: issue.origin === 'string' ? 'tooShort' : 'below', limit: Number(issue.minimum) }
  return { kind: 'format' }
}

/** The first fault of each field of a record, by the name of the field. Empty if the schema accepts the record. */
export function findFaults(
  schema: z.ZodType,
  record: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Fault> {
  const parsed = schema.safeParse(record)
  const faults = new Map<string, Fault>()
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? '')
    if (!faults.has(name)) faults.set(name, toFault(issue, record[name]))
  }
  return faults
}

/** Whether the schema refuses a record because the field is empty. `empty`: what an empty field means; default: absent. */
export const isRequired = (
  schema: z.ZodType,
  record: Readonly<Record<string, unknown>>,
  name: string,
  empty?: unknown,
): boolean => findFaults(schema, { ...record, [name]: empty }).has(name)
