import { z } from 'zod'

/** Classes 22 and 23 of SQLSTATE: what was given is at fault, not the moment. */
const refusal = z.object({ code: z.string().regex(/^2[23]/) })

/** Whether the database will never take what it was given, however often it is asked. */
export const isRefused = (error: unknown): boolean => refusal.safeParse(error).success
