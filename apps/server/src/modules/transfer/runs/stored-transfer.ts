import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { RowVerdict, TransferKind, TransferSheet, TransferState } from '@isotherm/contract/transfer'
import type { FaultParams } from '../sheets/texts.ts'

/** A stored import. */
export interface StoredTransfer {
  readonly id: number
  readonly kind: TransferKind
  readonly version: number
  readonly accountId: number
  readonly companyId: number | null
  readonly fileName: string
  readonly sizeBytes: number
  readonly state: TransferState
  readonly dryRun: boolean
  readonly operationId: number | null
  readonly done: number
  readonly total: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly fault: string | null
  readonly faultParams: FaultParams
  readonly attempts: number
  readonly mapping: ReadingMapping | null
  readonly resumeRow: number
  readonly createdAt: Date
}

/** A stored row with its verdict. */
export interface StoredRow {
  readonly sheet: TransferSheet
  readonly row: number
  readonly cells: Readonly<Record<string, string>>
  readonly subject: string
  readonly verdict: RowVerdict
  readonly reason: string | null
  readonly reasonParams: FaultParams
}
