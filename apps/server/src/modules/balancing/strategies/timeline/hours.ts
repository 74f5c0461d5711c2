import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../../platform/time-zone.ts'

/** A strategy that checks its loop at intervals, not at the times of a week. */
type PeriodicPlan = Exclude<StrategyPlan, { kind: 'sequence' }>

/**
 * The first instant at or after `at` (both Unix ms) that is within the hours of a local day. Hours that start after their end
 * include midnight; without hours every instant is allowed.
 */
export function nextAllowed(hours: PeriodicPlan['hours'], zone: TimeZone, at: number): number {
  if (!hours) return at
  const [from, to] = [hours.fromMinute * MINUTE_MS, hours.toMinute * MINUTE_MS]
  const local = zone.toLocal(at)
  const ofDay = local % DAY_MS
  const isWithin = from < to ? ofDay >= from && ofDay < to : ofDay >= from || ofDay < to
  if (isWithin) return at
  const today = local - ofDay
  const start = zone.toInstant(ofDay < from ? today + from : today + DAY_MS + from)
  return Math.max(at, start)
}

/** When the next check of a strategy is due after an instant, Unix ms. */
export const nextCheck = ({ everyHours, hours }: PeriodicPlan, zone: TimeZone, at: number): number =>
  nextAllowed(hours, zone, at + everyHours * HOUR_MS)
