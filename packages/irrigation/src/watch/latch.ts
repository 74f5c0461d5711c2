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
}

export interface DryRunLimits {
  /** Least flow of a pump that has water, m³/h. */
  readonly leakM3H: number
  /** How long a pump may run without water, s. */
  readonly dryRunS: number
  /** Least pressure before the pump, kPa; undefined: not watched. */
  readonly minInletKpa?: number | undefined
}

/** Since when the readings show a condition (Unix ms), and whether it has lasted long enough. */
export interface Lasting {
  readonly sinceMs: number | undefined
  readonly isReached: boolean
}

/**
 * How long a condition has been true, from the first reading that shows it to the latest one; a pause of the readings
 * adds nothing. `fromMs`: earlier readings do not count.
 */
function last(
  isTrue: boolean,
  atMs: number,
  fromMs: number,
  sinceMs: number | undefined,
  lengthS: number,
): Lasting {
  if (!isTrue || atMs < fromMs) return { sinceMs: undefined, isReached: false }
  const start = sinceMs === undefined || sinceMs < fromMs ? atMs : sinceMs
  return { sinceMs: start, isReached: atMs - start >= lengthS * 1000 }
}

/** Whether water flows at a source at which nothing has been open since `quietMs`. */
export const watchLeak = (
  { atMs, flowM3H }: SourceReading,
  { leakM3H, leakS }: LeakLimits,
  quietMs: number,
  sinceMs: number | undefined,
): Lasting => last(flowM3H !== undefined && flowM3H > leakM3H, atMs, quietMs, sinceMs, leakS)

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

/** Since when each condition of a pump without water has been true, Unix ms; undefined: it is not. */
export interface DrySince {
  /** The pump runs, and nothing flows. */
  readonly stillMs: number | undefined
  /** The pressure before the pump is too low. */
  readonly lowMs: number | undefined
}

/**
 * Whether a pump has run without water while valves have been open since `openMs`: nothing has flowed, or the pressure before it has
 * been too low, each for the stated time. The pressure counts unless the pump is known to stand: without a controller nothing says
 * whether it runs, but it has water in front of it only at its pressure. A flow or a pressure that is missing changes nothing.
 */
export function watchDryRun(
  reading: SourceReading,
  { leakM3H, dryRunS, minInletKpa }: DryRunLimits,
  openMs: number,
  since: DrySince,
): DrySince & { readonly isReached: boolean } {
  const { atMs, flowM3H, inletKpa, inletMs = atMs } = reading
  const isPumping = findPumping(reading, openMs)
  const watch = (isTrue: boolean | undefined, valueMs: number, sinceMs: number | undefined): Lasting =>
    isTrue === undefined ? { sinceMs, isReached: false } : last(isTrue, valueMs, openMs, sinceMs, dryRunS)
  const isStill = flowM3H === undefined ? undefined : flowM3H <= leakM3H
  const still = watch(isPumping === true && isStill, atMs, since.stillMs)
  const isBelow = inletKpa === undefined ? undefined : inletKpa < (minInletKpa ?? Number.NEGATIVE_INFINITY)
  const low = watch(isPumping !== false && isBelow, inletMs, since.lowMs)
  return { stillMs: still.sinceMs, lowMs: low.sinceMs, isReached: still.isReached || low.isReached }
}
