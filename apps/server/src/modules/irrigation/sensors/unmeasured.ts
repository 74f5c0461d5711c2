import type { IrrigationSourceSettings, SensorSetting } from '@isotherm/contract/irrigation'
import type { MetricName } from '@isotherm/contract/metrics'
import type { FindReading } from '../field.ts'
import { toLimits } from '../limits.ts'
import type { IrrigationFault, MeasuredSource } from '../storage/faults.pg.ts'
import { findReportedAt } from './choose-sensors.ts'

export interface UnmeasuredNeeds {
  /** Newest trusted values. */
  readonly findReading: FindReading
  /** Reporting period of a device, s. */
  readonly findPeriodS: (deviceId: number) => number | undefined
}

/** What is known of the values of a sensor. Instants are Unix ms. */
interface Measuring {
  /** The newest trusted value; undefined: there was none. */
  readonly newestMs: number | undefined
  /** The first value after the last pause that was too long; undefined: none was seen. */
  readonly resumedMs: number | undefined
}

/** A measurement that a protection needs. */
interface Needed {
  readonly key: string
  /** Instant of its newest trusted value, Unix ms. */
  readonly atMs: number
  /** Longest time between two values that belong together, ms. */
  readonly gapMs: number
  /** How long values must show a condition, s. */
  readonly lengthS: number
}

/**
 * The measurements of a source that its protections need: the flow for leaks and dry running, and the pressure for a least one before the
 * pump. A sensor of its own must report. A controller must if it ever did: many have no meter.
 */
function listNeeded(
  { findReading, findPeriodS }: UnmeasuredNeeds,
  settings: IrrigationSourceSettings,
): readonly Needed[] {
  const { stationId, minInletKpa } = settings
  const { gapMs, inletGapMs, leakS, dryRunS } = toLimits(settings, findPeriodS)
  const find = (setting: SensorSetting, metric: MetricName, limits: Pick<Needed, 'gapMs' | 'lengthS'>) => {
    const own = settings[setting]
    const deviceId = own ?? stationId
    if (deviceId === undefined) return []
    if (own === undefined && findReading(deviceId, metric, 'any') === undefined) return []
    const atMs =
      own === undefined
        ? (findReading(deviceId, metric)?.ts ?? Number.NEGATIVE_INFINITY)
        : findReportedAt(findReading, setting, own)
    return [{ key: `${deviceId} ${setting}`, atMs, ...limits }]
  }
  return [
    ...find('meterId', 'heat.flow', { gapMs, lengthS: Math.max(leakS, dryRunS) }),
    ...(minInletKpa === undefined
      ? []
      : find('inletId', 'pressure.return', { gapMs: inletGapMs, lengthS: dryRunS })),
  ]
}

/** What is known of a sensor with its newest value. Whether it paused before its first known value is unknown. */
function observe({ atMs, gapMs }: Needed, known: Measuring | undefined): Measuring {
  const { newestMs, resumedMs } = known ?? { newestMs: undefined, resumedMs: undefined }
  if (atMs === Number.NEGATIVE_INFINITY || (newestMs !== undefined && atMs <= newestMs))
    return { newestMs, resumedMs }
  return { newestMs: atMs, resumedMs: newestMs !== undefined && atMs - newestMs > gapMs ? atMs : resumedMs }
}

/**
 * Whether values come too rarely to show a condition: the newest is too old, or those since the last long pause are not yet as long as a
 * condition must last. A sensor that always reports too rarely is lost all the time, not only between its values.
 */
function isLost({ gapMs, lengthS }: Needed, { newestMs, resumedMs }: Measuring, now: number): boolean {
  if (newestMs === undefined || now - newestMs > gapMs) return true
  return resumedMs !== undefined && newestMs - resumedMs < Math.min(gapMs, lengthS * 1_000)
}

/**
 * Watches for sources with a protection that nothing measures any longer, by the same time between two values as the evidence of the
 * protection. The returned function lists them, and is called at least each few minutes: it remembers what it saw.
 */
export function watchUnmeasured(needs: UnmeasuredNeeds) {
  let known: ReadonlyMap<string, Measuring> = new Map()
  return (sources: readonly MeasuredSource[], now: number): readonly IrrigationFault[] => {
    const next = new Map<string, Measuring>()
    const lost = sources.filter(({ settings }) => {
      const states = listNeeded(needs, settings).map((needed) => {
        const measuring = observe(needed, known.get(needed.key))
        next.set(needed.key, measuring)
        return isLost(needed, measuring, now)
      })
      return states.includes(true)
    })
    known = next
    return lost.map(({ settings: _, ...place }) => ({ what: 'irrigation-unmeasured', ...place }))
  }
}
