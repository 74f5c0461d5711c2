import { z } from 'zod'
import { instant, version } from './entity.ts'

/** States of an import; their transitions are in docs/specs/transfer.md. */
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

/** Verdict on a row. `added` and `changed` take effect with the import. */
export const rowVerdict = z.enum(['added', 'changed', 'unchanged', 'failed'])
export type RowVerdict = z.infer<typeof rowVerdict>

/** The sheets of a workbook, in the order they are imported. */
export const transferSheet = z.enum([
  'models',
  'structure',
  'devices',
  'pipes',
  'irrigation-sources',
  'irrigation-groups',
])
export type TransferSheet = z.infer<typeof transferSheet>

const count = z.number().int().nonnegative()

/** Progress of an import. While the file is being read, `total` is the number of rows read so far. */
export const transferProgress = z.object({
  id: z.number().int().positive(),
  state: transferState,
  /** Number of checked rows; while importing, of imported rows. */
  done: count,
  total: count,
  failed: count,
})
export type TransferProgress = z.infer<typeof transferProgress>

export const transferAbility = z.enum(['check', 'import', 'cancel'])
export type TransferAbility = z.infer<typeof transferAbility>

/** `registry`: a workbook of tree and devices. `readings`: a file of readings, whose verdicts count readings. */
export const transferKind = z.enum(['registry', 'readings'])
export type TransferKind = z.infer<typeof transferKind>

/** An import of a file into a company. */
export const transfer = z.object({
  ...transferProgress.shape,
  kind: transferKind,
  version,
  fileName: z.string(),
  sizeBytes: count,
  /** Absent until the company is chosen. */
  companyId: z.number().int().positive().optional(),
  /** True if the workbook is only checked. */
  dryRun: z.boolean(),
  /** Number of rows by verdict. */
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
  /** Row number in the workbook; the headings are row 1. */
  row: z.number().int().positive(),
  verdict: rowVerdict,
  /** Subject of the row: names from the project down, a serial, or a model. */
  subject: z.string(),
  /** Why it failed, in the caller's language. */
  reason: z.string().optional(),
})
export type TransferRow = z.infer<typeof transferRow>

/** Failed rows of a sheet, or of a file of readings, with the same cause. */
export const transferCause = z.object({
  sheet: z.enum([...transferSheet.options, 'readings']),
  /** Number of rows. */
  rows: z.number().int().positive(),
  /** Why the first of them failed, in the caller's language. The others have the same cause with other names or values. */
  reason: z.string(),
  /** Whether all of them have exactly this text. */
  isSame: z.boolean(),
  /** Row numbers in the workbook of the first ones. */
  first: z.array(z.number().int().positive()),
})
export type TransferCause = z.infer<typeof transferCause>

/** Largest accepted workbook, bytes. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024
/** Maximum number of rows of all sheets of a workbook together. */
export const MAX_ROWS = 200_000
