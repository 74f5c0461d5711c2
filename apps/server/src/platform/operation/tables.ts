import type { GeneratedAlways } from 'kysely'

/** A call that changed something, or tried to. Rows can only be added; the database rejects updates, and deletions within 180 days. */
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

/** Change of one entity by one operation; written by triggers of the entities' tables. */
export interface OperationChangeTable {
  id: GeneratedAlways<number>
  operation_id: number
  entity: string
  entity_id: string
  /** Version of the entity after the change; null for an entity without versions. */
  version: number | null
  action: 'added' | 'changed' | 'removed'
  /** Path of the entity or of its node; null for an entity without a place in the tree. */
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
