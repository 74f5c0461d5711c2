import type { ReactNode } from 'react'

/** An action on selected records. */
export interface BulkAction<Row> {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  /** Whether the user can do it with the record; the action leaves out the others and says how many. */
  readonly isOffered: (row: Row) => boolean
  /** Question before the action, with what it touches. */
  readonly question: (rows: readonly Row[]) => ReactNode
  readonly act: (row: Row) => Promise<unknown>
}
