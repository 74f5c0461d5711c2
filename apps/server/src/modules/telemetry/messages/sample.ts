import { type MetricName, metrics, quality } from '@isotherm/contract/metrics'
import type { DirectoryEntry } from '../../devices/index.ts'

/** Validated values of one device at one instant. */
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
  /** Bits of the device, and bits that the check of this value added. */
  readonly quality: number
}

/**
 * One message of a gateway, with the key `(gatewayId, boot, seq)`. All of its samples are stored or none, except
 * samples that the store refuses because of their content.
 */
export interface ReadingMessage {
  /** Device id of the gateway that sent it. */
  readonly gatewayId: number
  readonly boot: number
  readonly seq: number
  /** Instant of its arrival, Unix ms. */
  readonly received: number
  /** False for back-fill: it never changes the newest values. */
  readonly live: boolean
  readonly samples: readonly Sample[]
  /** Rows of its samples in the store. No two rows have the same device, metric and instant. */
  readonly rows: number
  /** Whether it contains only some of the samples, because the store refuses the whole message. */
  readonly isPart?: boolean
}

/** Adds the out-of-range bit if the value is outside the range of the metric. */
export function toSampleValue(metric: MetricName, value: number, bits: number): SampleValue {
  const [lowest, highest] = metrics[metric].range
  const isInRange = value >= lowest && value <= highest
  return { metric, value, quality: isInRange ? bits : bits | quality.outOfRange }
}
