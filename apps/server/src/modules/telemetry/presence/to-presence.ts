import { STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import { MINUTE_MS } from '@isotherm/kernel/durations'

/**
 * Whether a device speaks. `silent` has had its turn and did not take it; of an `unknown` one nobody can tell,
 * because the concentrator it speaks through is silent or only just came back. All of it: docs/specs/presence.md.
 */
export type PresenceState = 'present' | 'silent' | 'unknown'

/** How much later than its turn a device may speak, as a part of its period: reports are spread on purpose. */
const JITTER_PERIODS = 0.1
const LEAST_JITTER_MS = 2_000
const MOST_JITTER_MS = MINUTE_MS

/** For how long a device that reports every `periodS` is taken as speaking after it was heard, ms (protocols.md 4.2). */
export function toAllowanceMs(periodS: number): number {
  const periodMs = periodS * 1_000
  const jitter = Math.min(MOST_JITTER_MS, Math.max(LEAST_JITTER_MS, periodMs * JITTER_PERIODS))
  return STALE_AFTER_PERIODS * periodMs + jitter
}

/** What is known of a concentrator. Instants are Unix ms. */
export interface ConcentratorFacts {
  /** When anything was last heard of it, whatever of its devices it was about; undefined when never. */
  readonly reportedAt: number | undefined
  /** What it said last of its link. */
  readonly link: 'online' | 'offline' | undefined
  /** Whether devices stand behind it. */
  readonly hasChildren: boolean
  /** Whether one of them is overdue while nothing at all is heard of the concentrator. */
  readonly isMissed: boolean
}

/**
 * A concentrator is silent once it said goodbye. Otherwise its own period counts, and then only when somebody
 * misses it: one that carries devices may have nothing to say of itself, and one whose link stands may have
 * nobody to speak for.
 */
export function toConcentratorPresence(
  concentrator: ConcentratorFacts,
  periodS: number,
  now: number,
): 'present' | 'silent' {
  if (concentrator.link === 'offline') return 'silent'
  if (concentrator.reportedAt !== undefined && now - concentrator.reportedAt <= toAllowanceMs(periodS))
    return 'present'
  if (concentrator.hasChildren && concentrator.reportedAt !== undefined)
    return concentrator.isMissed ? 'silent' : 'present'
  return concentrator.link === 'online' ? 'present' : 'silent'
}

/** What a device's own state depends on. Instants are Unix ms. */
export interface DeviceFacts {
  /** Newest data of it; undefined when there never were any. */
  readonly reportedAt: number | undefined
  /** Since when its concentrator is back, after it was silent or missed; undefined when it was neither. */
  readonly graceFrom: number | undefined
}

/**
 * A device is present while its newest reading is younger than its allowance. After that it is silent only when
 * its concentrator, if it has one, went on speaking while the device left out its turns.
 */
export function toPresence(
  { reportedAt, graceFrom }: DeviceFacts,
  periodS: number,
  concentrator:
    | { readonly presence: 'present' | 'silent'; readonly reportedAt: number | undefined }
    | undefined,
  now: number,
): PresenceState {
  if (concentrator?.presence === 'silent') return 'unknown'
  const allowance = toAllowanceMs(periodS)
  if (reportedAt !== undefined && now - reportedAt <= allowance) return 'present'
  if (!concentrator) return 'silent'
  if (graceFrom !== undefined && now - graceFrom <= allowance) return 'unknown'
  const hadTurns = (concentrator.reportedAt ?? 0) - (reportedAt ?? 0) >= allowance - periodS * 1_000
  return hadTurns ? 'silent' : 'unknown'
}
