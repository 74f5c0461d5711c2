import { z } from 'zod'

/** SQLSTATE classes 22 (data exception) and 23 (constraint violation). */
const dataError = z.object({ code: z.string().regex(/^2[23]/) })

/** Whether PostgreSQL rejected the data itself, so that a retry cannot succeed. */
export const isDataError = (error: unknown): boolean => dataError.safeParse(error).success
