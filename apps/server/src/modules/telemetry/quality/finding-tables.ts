import type { FindingRule } from '@isotherm/contract/alarms/finding'
import type { Generated } from 'kysely'

/** Findings of devices; instants are Unix ms. */
export interface TelemetryFindingTable {
  id: Generated<number>
  device_id: number
  rule: FindingRule
  since_ms: number
  /** Null while the finding is open. */
  until_ms: number | null
  detail: unknown
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    telemetry_finding: TelemetryFindingTable
  }
}
