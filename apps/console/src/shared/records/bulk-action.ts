import type { ReactNode } from 'react'

interface ActionLabel {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
}

/** An action on each of the selected records, after the user has confirmed it. */
export interface EachAction<Row> extends ActionLabel {
  /** Whether the user can do it with the record; the action leaves out the others and shows their number. */
  readonly isOffered: (row: Row) => boolean
  /** Question before the action, with the affected records. */
  readonly question: (rows: readonly Row[]) => ReactNode
  readonly act: (row: Row) => Promise<unknown>
}

/** An action on all selected records together, with its own dialog. */
export interface JointAction<Row> extends ActionLabel {
  /** Whether the user can do it with the record. */
  readonly isOffered: (row: Row) => boolean
  readonly open: (rows: readonly Row[]) => void
}

export type BulkAction<Row> = EachAction<Row> | JointAction<Row>
