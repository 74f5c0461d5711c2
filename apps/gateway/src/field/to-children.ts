import type { MetricName } from '@isotherm/contract/metrics'
import type { ChildReading } from '@isotherm/contract/mqtt'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { ProfileOutcome } from '@isotherm/profiles/decode-by-profile'

type Readings = Extract<ProfileOutcome, { kind: 'readings' }>

/** Values of one poll by metric. */
export type Values = ReadonlyMap<MetricName, number>

/** Values that a device showed, and when it measured them, Unix ms. */
export interface Shown {
  readonly at: number
  readonly values: Values
}

/**
 * The readings of a poll as children of a message: one for each quality that its values have. `meterZoneMin`: offset of the meter's
 * clock from UTC, minutes.
 */
export function toChildren(
  serial: string,
  ts: number,
  outcomes: readonly Readings[],
  meterZoneMin: number,
): readonly ChildReading[] {
  const byQuality = new Map<number, Record<string, number>>()
  let dt: number | undefined
  for (const { readings, deviceTime } of outcomes) {
    for (const { metric, value, quality } of readings) {
      const values = byQuality.get(quality) ?? {}
      values[metric] = value
      byQuality.set(quality, values)
    }
    const shown =
      deviceTime === undefined ? Number.NaN : Date.parse(`${deviceTime}Z`) - meterZoneMin * MINUTE_MS
    if (shown > 0) dt ??= shown
  }
  return [...byQuality].map(([q, m]) => ({
    id: serial,
    ts,
    ...(dt === undefined ? {} : { dt }),
    ...(q === 0 ? {} : { q }),
    m,
  }))
}

/** The values of good quality. */
export function toGoodValues(outcomes: readonly Readings[]): Values {
  const values = new Map<MetricName, number>()
  for (const { readings } of outcomes)
    for (const { metric, value, quality } of readings) if (quality === 0) values.set(metric, value)
  return values
}
