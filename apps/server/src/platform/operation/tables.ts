import type { GeneratedAlways } from 'kysely'

/** One call that changed something or tried to. Rows are added only; the database refuses anything else. */
export interface OperationTable {
  id: GeneratedAlways<number>
  at: Date
  account_id: number | null
  account: string
  company_id: number | null
  endpoint: string
  address: string
  request_id: string
  /** `ok` or the code of an error. */
  result: string
  /** JSON. */
  input: string
}

/** What one operation did to one entity; written by triggers of the entities' tables. */
export interface OperationChangeTable {
  id: GeneratedAlways<number>
  operation_id: number
  entity: string
  entity_id: string
  /** Of the entity after the change; null for what has none. */
  version: number | null
  action: 'added' | 'changed' | 'removed'
  /** Of the node it is about or stands on; null for what has no place. */
  path: string | null
  before: Readonly<Record<string, unknown>> | null
  after: Readonly<Record<string, unknown>> | null
}

declare module '../tables.ts' {
  interface Tables {
    operation: OperationTable
    operation_change: OperationChangeTable
  }
}
