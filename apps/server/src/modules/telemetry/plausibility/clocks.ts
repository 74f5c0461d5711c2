import { MINUTE_MS } from '@isotherm/kernel/durations'
import { hoursBetween, judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'

const MAX_OFFSET_MS = 10 * MINUTE_MS

/** R13: the meter's own clock against the instant of the reading. */
export function checkMeterClock(now: MeterReading): Verdict {
  const offsetMs = now.meterTime - now.ts
  if (Number.isNaN(offsetMs)) return undefined
  return judge(Math.abs(offsetMs) > MAX_OFFSET_MS, () => ({ offsetS: Math.round(offsetMs / 1_000) }))
}

const HOURS_TOLERANCE = 0.05

/**
 * R14: operating hours against elapsed time. Needs several hours between the readings, because the counter has steps.
 */
export function checkHours(
  now: MeterReading,
  before: Pick<MeterReading, 'ts' | 'hoursH'>,
  profile: MeterProfile,
): Verdict {
  const elapsedH = hoursBetween(before, now)
  const advancedH = now.hoursH - before.hoursH
  if (Number.isNaN(advancedH) || !(elapsedH > 0)) return undefined
  const isOff = Math.abs(advancedH - elapsedH) > HOURS_TOLERANCE * elapsedH + profile.hoursStepH
  return judge(isOff, () => ({ elapsedH, advancedH }))
}
