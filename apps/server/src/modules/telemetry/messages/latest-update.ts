import type { MetricName } from '@isotherm/contract/metrics'

/** One value on its way into the newest values. */
export interface LatestUpdate {
  readonly deviceId: number
  readonly ts: number
  readonly quality: number
  readonly values: readonly {
    readonly metric: MetricName
    readonly value: number
    readonly quality: number
  }[]
}
