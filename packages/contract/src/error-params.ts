import { z } from 'zod'

/** Values for the places of an error's text. */
export const errorParams = z.record(z.string(), z.union([z.string(), z.number()]))
export type ErrorParams = Readonly<z.infer<typeof errorParams>>
