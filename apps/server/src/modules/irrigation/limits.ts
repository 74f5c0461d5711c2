import type { IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import type { DryRunLimits, LeakLimits } from '@isotherm/irrigation/watch/latch'

/** Attempts to close a valve; after the last one it counts as stuck and is tried again each minute. */
export const MAX_CLOSE_TRIES = 3
export const RETRY_STUCK_MS = 60_000
/** A command to a master valve that was refused is repeated after this time, ms. */
export const RETRY_REFUSED_MS = 60_000
/** Attempts to open a master valve; after the last one the source is halted. */
export const MAX_OPEN_TRIES = 3

/** The floor of a mechanical water meter DN80 of class B. */
const LEAK_M3H = 0.2
const LEAK_S = 120
const DRY_RUN_S = 60

/** Limits of the protections of a source: its settings, or the usual ones. */
export const toLimits = ({
  leakM3H = LEAK_M3H,
  leakS = LEAK_S,
  dryRunS = DRY_RUN_S,
  minInletKpa,
}: IrrigationSourceSettings): LeakLimits & DryRunLimits => ({ leakM3H, leakS, dryRunS, minInletKpa })
