import type { MetricName } from '@isotherm/contract/metrics'

/** Values of one device at one instant, to be applied to its newest values. */
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
