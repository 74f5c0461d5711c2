import { z } from 'zod'
import { instant, version } from './entity.ts'

/** States of an import; docs/specs/transfer.md says what leads from one to another. */
export const transferState = z.enum([
  'uploading',
  'uploaded',
  'checking',
  'checked',
  'importing',
  'done',
  'failed',
  'cancelled',
])
export type TransferState = z.infer<typeof transferState>

/** What becomes of a row: `added` and `changed` are so once it is imported. */
export const rowVerdict = z.enum(['added', 'changed', 'unchanged', 'failed'])
export type RowVerdict = z.infer<typeof rowVerdict>

/** The sheets of a workbook, in the order they are imported. */
export const transferSheet = z.enum(['models', 'structure', 'devices', 'pipes'])
export type TransferSheet = z.infer<typeof transferSheet>

const count = z.number().int().nonnegative()

/** How far an import is; `total` are the rows read so far while the file is still being read. */
export const transferProgress = z.object({
  id: z.number().int().positive(),
  state: transferState,
  /** Rows that were checked, or imported when it is importing. */
  done: count,
  total: count,
  failed: count,
})
export type TransferProgress = z.infer<typeof transferProgress>

export const transferAbility = z.enum(['check', 'import', 'cancel'])
export type TransferAbility = z.infer<typeof transferAbility>

/** One workbook on its way into a company. */
export const transfer = z.object({
  ...transferProgress.shape,
  version,
  fileName: z.string(),
  sizeBytes: count,
  /** Absent until it is said which company it is for. */
  companyId: z.number().int().positive().optional(),
  /** True when it is only checked. */
  dryRun: z.boolean(),
  /** Rows by verdict. */
  added: count,
  changed: count,
  unchanged: count,
  createdAt: instant,
  /** Why it failed as a whole, in the caller's language. */
  fault: z.string().optional(),
  abilities: z.array(transferAbility),
})
export type Transfer = z.infer<typeof transfer>

/** The verdict of one row. */
export const transferRow = z.object({
  sheet: transferSheet,
  /** As the workbook numbers it, the headings being row 1. */
  row: z.number().int().positive(),
  verdict: rowVerdict,
  /** What it is about: names from the project down, a serial, or a model. */
  subject: z.string(),
  /** Why it failed, in the caller's language. */
  reason: z.string().optional(),
})
export type TransferRow = z.infer<typeof transferRow>

/** Largest workbook that is taken, bytes. */
export const MOST_FILE_BYTES = 50 * 1024 * 1024
/** Rows of all sheets of a workbook together. */
export const MOST_ROWS = 200_000
