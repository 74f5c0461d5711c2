import { type MetricName, metrics, quality } from '@isotherm/contract/metrics'
import type { DirectoryEntry } from '../../devices/index.ts'

/** What one device reported at one instant, checked. */
export interface Sample {
  readonly device: DirectoryEntry
  /** Instant of the measurement, Unix ms UTC. */
  readonly ts: number
  /** The device's own clock at that instant, Unix ms; for diagnosis. */
  readonly meterTime?: number
  /** Quality bits the device set itself (contract metrics.ts). */
  readonly quality: number
  readonly values: readonly SampleValue[]
}

export interface SampleValue {
  readonly metric: MetricName
  readonly value: number
  /** The device's bits and what the check of this value added. */
  readonly quality: number
}

/**
 * One message of a node, of which every sample is stored or none, but for those the store refuses for what they hold.
 * `(node, boot, seq)` is its key.
 */
export interface ReadingMessage {
  /** Device id of the node that sent it. */
  readonly node: number
  readonly boot: number
  readonly seq: number
  /** Instant of its arrival, Unix ms. */
  readonly received: number
  /** False for back-fill, which never drives newest values. */
  readonly live: boolean
  readonly samples: readonly Sample[]
  /** Rows its samples make in the store: no two are of one device, metric and instant. */
  readonly rows: number
  /** Whether these are only some of its samples: the store refuses it as a whole. */
  readonly isPart?: boolean
}

/** A value with the out-of-range bit where the sensor cannot mean it. */
export function toSampleValue(metric: MetricName, value: number, bits: number): SampleValue {
  const [lowest, highest] = metrics[metric].range
  const isInRange = value >= lowest && value <= highest
  return { metric, value, quality: isInRange ? bits : bits | quality.outOfRange }
}
