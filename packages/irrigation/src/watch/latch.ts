import { HOUR_MS } from '@isotherm/kernel/durations'

/** What is measured at a source. Instants are Unix ms. */
export interface SourceReading {
  readonly atMs: number
  /** Flow, m³/h; undefined: nothing measures it, and `atMs` is the instant of the pressure. */
  readonly flowM3H: number | undefined
  /** Whether the pump reports that it runs; undefined: it reports nothing. */
  readonly isPumping?: boolean | undefined
  /** When the pump reported that; undefined: with the flow. */
  readonly pumpMs?: number | undefined
  /** Pressure before the pump, kPa above the atmosphere. */
  readonly inletKpa?: number | undefined
  /** When this pressure was measured; undefined: with the flow. */
  readonly inletMs?: number | undefined
}

/** Limits of the leak protection. */
export interface LeakLimits {
  /** Floor of the meter, m³/h: less is noise. */
  readonly leakM3H: number
  /** How long it must flow, s. */
  readonly leakS: number
  /** Longest time between two readings that both show it, ms. */
  readonly gapMs: number
}

export interface DryRunLimits {
  /** Least flow of a pump that has water, m³/h. */
  readonly leakM3H: number
  /** How long a pump may run without water, s. */
  readonly dryRunS: number
  /** Least pressure before the pump, kPa; undefined: not watched. */
  readonly minInletKpa?: number | undefined
  /** Longest time between two readings that both show a condition, ms: of the flow, and of the pressure. */
  readonly gapMs: number
  readonly inletGapMs: number
}

/** Since when the readings show a condition, and the newest one that does, Unix ms; undefined: it is not true. */
export interface Shown {
  readonly sinceMs: number | undefined
  readonly seenMs: number | undefined
}

/** A condition, and whether it has lasted long enough. */
export interface Lasting extends Shown {
  readonly isReached: boolean
}

const notShown: Lasting = { sinceMs: undefined, seenMs: undefined, isReached: false }

/**
 * How long a condition has been true, from the first reading that shows it to the latest one. Two readings that are further apart than
 * `gapMs` say nothing of the time between them, so it begins anew with the later one. `fromMs`: earlier readings do not count. A condition
 * is seen at least when it began: a replica of the release before writes only that.
 */
function last(
  isTrue: boolean,
  atMs: number,
  fromMs: number,
  { sinceMs = Number.NEGATIVE_INFINITY, seenMs = sinceMs }: Shown,
  { lengthS, gapMs }: { readonly lengthS: number; readonly gapMs: number },
): Lasting {
  if (!isTrue || atMs < fromMs) return notShown
  const lasts = sinceMs >= fromMs && atMs - Math.max(sinceMs, seenMs) <= gapMs
  const start = lasts ? sinceMs : atMs
  return { sinceMs: start, seenMs: atMs, isReached: atMs - start >= lengthS * 1000 }
}

/** Whether water flows at a source at which nothing has been open since `quietMs`. */
export const watchLeak = (
  { atMs, flowM3H }: SourceReading,
  { leakM3H, leakS, gapMs }: LeakLimits,
  quietMs: number,
  since: Shown,
): Lasting =>
  last(flowM3H !== undefined && flowM3H > leakM3H, atMs, quietMs, since, { lengthS: leakS, gapMs })

/**
 * Whether the pump runs, if it reported so since the valves opened and within an hour before the newest value. The flow and the
 * pressure may come from other devices: a controller that died while the pump stood must not end the protection.
 */
function findPumping(
  { atMs, isPumping, pumpMs = atMs, inletMs = atMs }: SourceReading,
  openMs: number,
): boolean | undefined {
  return pumpMs >= Math.max(openMs, atMs - HOUR_MS, inletMs - HOUR_MS) ? isPumping : undefined
}

/** The conditions of a pump without water. */
export interface DrySince {
  /** The pump runs, and nothing flows. */
  readonly still: Shown
  /** The pressure before the pump is too low. */
  readonly low: Shown
}

/**
 * Whether a pump has run without water while valves have been open since `openMs`: nothing has flowed, or the pressure before it has
 * been too low, each for the stated time. The pressure counts unless the pump is known to stand: without a controller nothing says
 * whether it runs, but it has water in front of it only at its pressure. A flow or a pressure that is missing changes nothing.
 */
export function watchDryRun(
  reading: SourceReading,
  { leakM3H, dryRunS, minInletKpa, gapMs, inletGapMs }: DryRunLimits,
  openMs: number,
  since: DrySince,
): DrySince & { readonly isReached: boolean } {
  const { atMs, flowM3H, inletKpa, inletMs = atMs } = reading
  const isPumping = findPumping(reading, openMs)
  const watch = (isTrue: boolean | undefined, valueMs: number, shown: Shown, gapMs: number): Lasting =>
    isTrue === undefined
      ? { ...shown, isReached: false }
      : last(isTrue, valueMs, openMs, shown, { lengthS: dryRunS, gapMs })
  const isStill = flowM3H === undefined ? undefined : flowM3H <= leakM3H
  const { isReached: isStillReached, ...still } = watch(
    isPumping === true && isStill,
    atMs,
    since.still,
    gapMs,
  )
  const isBelow = inletKpa === undefined ? undefined : inletKpa < (minInletKpa ?? Number.NEGATIVE_INFINITY)
  const { isReached: isLowReached, ...low } = watch(
    isPumping !== false && isBelow,
    inletMs,
    since.low,
    inletGapMs,
  )
  return { still, low, isReached: isStillReached || isLowReached }
}
