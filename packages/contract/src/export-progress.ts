import { z } from 'zod'

/** Progress of an export that its caller named (`progressId` of exportDataRows). */
export const exportProgress = z.object({
  progressId: z.string().min(1).max(40),
  /** Number of rows in the file so far. */
  rows: z.number().int().nonnegative(),
  /** `failed` also if the caller cancelled it. */
  state: z.enum(['running', 'done', 'failed']),
})
export type ExportProgress = z.infer<typeof exportProgress>
