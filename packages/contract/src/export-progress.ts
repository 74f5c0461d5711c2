import { z } from 'zod'

/** How far an export is that its caller gave a name (`progressId` of exportDataRows). */
export const exportProgress = z.object({
  progressId: z.string().min(1).max(40),
  /** Rows that are in the file so far. */
  rows: z.number().int().nonnegative(),
  /** `failed` also when the caller gave it up. */
  state: z.enum(['running', 'done', 'failed']),
})
export type ExportProgress = z.infer<typeof exportProgress>
