import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../../platform/time-zone.ts'

type Looking = Exclude<StrategyPlan, { kind: 'sequence' }>

/** The first instant at or after a given one (Unix ms) within the hours of a local day. */
export function nextAllowed(hours: Looking['hours'], zone: TimeZone, at: number): number {
  if (!hours) return at
  const [from, to] = [hours.fromMinute * MINUTE_MS, hours.toMinute * MINUTE_MS]
  const local = zone.toLocal(at)
  const ofDay = local % DAY_MS
  const isWithin = from < to ? ofDay >= from && ofDay < to : ofDay >= from || ofDay < to
  if (isWithin) return at
  const today = local - ofDay
  const begins = zone.toInstant(ofDay < from ? today + from : today + DAY_MS + from)
  return Math.max(at, begins)
}

/** When the next check of a strategy is due after an instant, Unix ms. */
export const nextCheck = ({ everyHours, hours }: Looking, zone: TimeZone, at: number): number =>
  nextAllowed(hours, zone, at + everyHours * HOUR_MS)
