import { STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import type { IrrigationSourceSettings, SensorSetting } from '@isotherm/contract/irrigation'
import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { FindReading } from '../field.ts'
import type { IrrigationFault, MeasuredSource } from '../storage/faults.pg.ts'
import { findReportedAt } from './choose-sensors.ts'

export interface UnmeasuredNeeds {
  /** Newest trusted values. */
  readonly findReading: FindReading
  /** Reporting period of a device, s. */
  readonly findPeriodS: (deviceId: number) => number | undefined
  readonly now: number
}

/**
 * Whether a protection of a source has no measurement: the flow for leaks and dry running, or the pressure for a least one before the
 * pump. A sensor of its own must report. A controller must if it ever did: many have no meter. A device that reports less often than each
 * hour has as many periods as any other before it is silent.
 */
function isUnmeasured(
  { findReading, findPeriodS, now }: UnmeasuredNeeds,
  settings: IrrigationSourceSettings,
): boolean {
  const { stationId, minInletKpa } = settings
  const isOld = (deviceId: number, at: number): boolean =>
    at < now - Math.max(HOUR_MS, STALE_AFTER_PERIODS * (findPeriodS(deviceId) ?? 0) * 1_000)
  const isLost = (setting: SensorSetting, metric: MetricName): boolean => {
    const own = settings[setting]
    if (own !== undefined) return isOld(own, findReportedAt(findReading, setting, own))
    if (stationId === undefined || findReading(stationId, metric, 'any') === undefined) return false
    return isOld(stationId, findReading(stationId, metric)?.ts ?? Number.NEGATIVE_INFINITY)
  }
  return isLost('meterId', 'heat.flow') || (minInletKpa !== undefined && isLost('inletId', 'pressure.return'))
}

/** Sources with a protection that nothing measures any longer. */
export const listUnmeasured = (
  needs: UnmeasuredNeeds,
  sources: readonly MeasuredSource[],
): readonly IrrigationFault[] =>
  sources
    .filter(({ settings }) => isUnmeasured(needs, settings))
    .map(({ settings: _, ...place }) => ({ what: 'irrigation-unmeasured', ...place }))
