import type { Finding, FindingDetail, FindingRule } from '@isotherm/contract/alarms/finding'
import type { Limiter } from '@isotherm/contract/filter'
import type { Scope } from '../../../platform/scope/scope.ts'

/** A finding of a device that started or ended. Instants are Unix ms. */
export interface FindingChange {
  readonly deviceId: number
  readonly rule: FindingRule
  readonly since: number
  /** Absent while the finding is open. An event has `until` equal to `since`. */
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

/** Stores new findings, at most one open finding per device and rule. Returns those that nobody had stored before. */
export type StartFindings = (changes: readonly FindingChange[]) => Promise<readonly FindingChange[]>

/** Ends open findings; returns those that it ended. */
export type EndFindings = (ends: readonly FindingEnd[]) => Promise<readonly FindingChange[]>

export type ListOpenFindings = () => Promise<readonly FindingChange[]>

/** Lists findings in a scope, the newest first. */
export type ListFindings = (
  scope: Scope,
  query: FindingQuery,
) => Promise<{ datalist: Finding[]; total: number }>
