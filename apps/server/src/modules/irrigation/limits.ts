import type { IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import type { DryRunLimits, LeakLimits } from '@isotherm/irrigation/watch/latch'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { toAllowanceMs } from '../telemetry/index.ts'
import { findMeterId } from './sensors/choose-sensors.ts'

/** Attempts to close a valve; after the last one it counts as stuck and is tried again each minute. */
export const MAX_CLOSE_TRIES = 3
export const RETRY_STUCK_MS = 60_000
/** A command to a master valve that was refused is repeated after this time, ms. */
export const RETRY_REFUSED_MS = 60_000
/** Attempts to open a master valve; after the last one the source is halted. */
export const MAX_OPEN_TRIES = 3

/**
 * Time after its last reading for which a valve counts as open, ms: four of the usual report periods of 900 s. The last reading of a
 * dead valve must neither hide a leak nor block a program forever.
 */
export const MAX_BY_HAND_MS = HOUR_MS
/**
 * Age from which a reading of soil moisture no longer counts, ms: 24 of the usual report periods of 900 s. Soil that is not watered
 * dries out within a day, so the last reading of a dead probe must not stop its group for longer.
 */
export const MAX_MOISTURE_MS = 6 * HOUR_MS

/** The floor of a mechanical water meter DN80 of class B. */
const LEAK_M3H = 0.2
const LEAK_S = 120
const DRY_RUN_S = 60

/** Two values that are closer together than this belong together, however often their device reports, ms. */
const MIN_GAP_MS = 5 * MINUTE_MS

/**
 * Limits of the protections of a source: its settings, or the usual ones. Two values of a device belong together if they are no further
 * apart than the time for which it counts as present. `findPeriodS`: period of a device, s.
 */
export function toLimits(
  settings: IrrigationSourceSettings,
  findPeriodS: (deviceId: number) => number | undefined,
): LeakLimits & DryRunLimits {
  const {
    leakM3H = LEAK_M3H,
    leakS = LEAK_S,
    dryRunS = DRY_RUN_S,
    minInletKpa,
    inletId,
    stationId,
  } = settings
  const toGapMs = (deviceId: number | undefined): number => {
    const periodS = deviceId === undefined ? undefined : findPeriodS(deviceId)
    return Math.max(MIN_GAP_MS, toAllowanceMs(periodS ?? 0))
  }
  return {
    leakM3H,
    leakS,
    dryRunS,
    minInletKpa,
    gapMs: toGapMs(findMeterId(settings)),
    inletGapMs: toGapMs(inletId ?? stationId),
  }
}

/** Floor of the meter of a source, m³/h. */
export const toLeakFloor = ({ leakM3H = LEAK_M3H }: IrrigationSourceSettings): number => leakM3H
