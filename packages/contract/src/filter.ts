import { z } from 'zod'

/** Conditions of the generic filter (specification, section 7). */
export const filterCondition = z.enum(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'like', 'regex'])

/**
 * One condition. Plain conditions compare with `vstd` (joined by commas for `in`); `vrex` is the pattern of `regex`. The
 * handler of an endpoint declares the allowed fields; any other field is refused.
 */
export const filterItem = z.object({
  field: z.string().min(1).max(64),
  cond: filterCondition,
  vstd: z.union([z.string().max(2_000), z.number()]).optional(),
  vrex: z.string().max(200).optional(),
})
export type FilterItem = z.infer<typeof filterItem>

/** A condition that was not filled in, as older clients send it; it is left out. */
const emptyItem = z.object({
  field: z.literal(''),
  cond: z.string().max(16).optional(),
  vstd: z.union([z.string().max(2_000), z.number()]).optional(),
  vrex: z.string().max(200).optional(),
})

export const filter = z
  .array(z.union([emptyItem, filterItem]))
  .max(16)
  .transform((items) => items.filter((item): item is FilterItem => item.field !== ''))

/** A whole number from 1 to a maximum, or its digits: older clients send the values of their input fields. */
export const wholeNumber = (max: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,7}$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(1).max(max))

/** Page (from 1) and page size. */
export const limiter = z.object({ page: wholeNumber(1_000_000), size: wholeNumber(1_000) })
export type Limiter = z.infer<typeof limiter>

/** Input of subdivision and vauser queries. */
export const filteredPage = z.object({
  filter: filter.default([]),
  limiter: limiter.default({ page: 1, size: 1_000 }),
})

/** A page of items, and the number of all items. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ datalist: z.array(item), total: z.number().int().nonnegative() })
