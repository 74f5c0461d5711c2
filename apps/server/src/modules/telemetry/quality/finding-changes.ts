import type { Finding, FindingDetail, FindingRule } from '@isotherm/contract/alarms/finding'
import type { Limiter } from '@isotherm/contract/filter'
import type { Scope } from '../../../platform/scope/scope.ts'

/** Something the readings of a device began or ceased to show. Instants are Unix ms. */
export interface FindingChange {
  readonly deviceId: number
  readonly rule: FindingRule
  readonly since: number
  /** Absent while it holds; an event ends as it begins. */
  readonly until?: number
  readonly detail: FindingDetail
}

export type FindingEnd = Pick<FindingChange, 'deviceId' | 'rule'> & { readonly until: number }

export interface FindingQuery {
  readonly paths: readonly string[] | undefined
  readonly deviceIds: readonly number[] | undefined
  readonly rules: readonly FindingRule[] | undefined
  readonly isOpen: boolean
  readonly from: number | undefined
  readonly to: number | undefined
  readonly limiter: Limiter
}

/** Where findings are kept. Every method rejects when the store is away. */
export interface FindingStore {
  /** Notes what nobody noted yet, of each device and rule one at most; what it noted. */
  begin(changes: readonly FindingChange[]): Promise<readonly FindingChange[]>
  /** Ends those that hold; what it ended. */
  end(ends: readonly FindingEnd[]): Promise<readonly FindingChange[]>
  listOpen(): Promise<readonly FindingChange[]>
  list(scope: Scope, query: FindingQuery): Promise<{ datalist: Finding[]; total: number }>
}
