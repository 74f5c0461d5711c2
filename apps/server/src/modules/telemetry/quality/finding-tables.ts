import type { FindingRule } from '@isotherm/contract/alarms/finding'
import type { Generated } from 'kysely'

/** What the readings of a device show; instants are Unix ms. */
export interface TelemetryFindingTable {
  id: Generated<number>
  device_id: number
  rule: FindingRule
  since_ms: number
  /** Null while it holds. */
  until_ms: number | null
  detail: unknown
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    telemetry_finding: TelemetryFindingTable
  }
}
