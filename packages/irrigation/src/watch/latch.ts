/** A reading of the meter at a source. Instants are Unix ms. */
export interface SourceReading {
  readonly atMs: number
  /** Flow, m³/h. */
  readonly flowM3H: number
  /** Whether the pump reports that it runs; undefined: it reports nothing. */
  readonly isPumping?: boolean | undefined
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
): Lasting => last(flowM3H > leakM3H, atMs, quietMs, sinceMs, leakS)

/** Newest instant of the values that show a pump without water; undefined if none does. */
function findDryMs(
  { atMs, flowM3H, isPumping, inletKpa, inletMs = atMs }: SourceReading,
  { leakM3H, minInletKpa }: DryRunLimits,
): number | undefined {
  if (isPumping !== true) return undefined
  const isLow = minInletKpa !== undefined && inletKpa !== undefined && inletKpa < minInletKpa
  const instants = [...(flowM3H <= leakM3H ? [atMs] : []), ...(isLow ? [inletMs] : [])]
  return instants.length === 0 ? undefined : Math.max(...instants)
}

/** Whether a pump runs without water: nothing flows, or the pressure before it is too low. */
export const isDry = (reading: SourceReading, limits: DryRunLimits): boolean =>
  findDryMs(reading, limits) !== undefined

/** Whether a pump has run without water while valves have been open since `openMs`. */
export function watchDryRun(
  reading: SourceReading,
  limits: DryRunLimits,
  openMs: number,
  sinceMs: number | undefined,
): Lasting {
  const dryMs = findDryMs(reading, limits)
  return last(dryMs !== undefined, dryMs ?? reading.atMs, openMs, sinceMs, limits.dryRunS)
}
