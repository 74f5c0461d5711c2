import { STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import { MINUTE_MS } from '@isotherm/kernel/durations'

/**
 * Whether a device reports. `silent`: it missed its reports. `unknown`: its own state cannot be determined, because its
 * concentrator is silent or only just came back. Rules: docs/specs/presence.md.
 */
export type PresenceState = 'present' | 'silent' | 'unknown'

/** Tolerated delay of a report, as a fraction of the period: devices spread their reports on purpose. */
const JITTER_PERIODS = 0.1
const MIN_JITTER_MS = 2_000
const MAX_JITTER_MS = MINUTE_MS

/** Time after its last report during which a device counts as present, ms (ADR 26). */
export function toAllowanceMs(periodS: number): number {
  const periodMs = periodS * 1_000
  const jitter = Math.min(MAX_JITTER_MS, Math.max(MIN_JITTER_MS, periodMs * JITTER_PERIODS))
  return STALE_AFTER_PERIODS * periodMs + jitter
}

/** Input of the rules for a concentrator. Instants are Unix ms. */
export interface ConcentratorFacts {
  /** Instant of the last message of any of its devices or of itself; undefined if there was none. */
  readonly reportedAt: number | undefined
  /** The last link state that it reported. */
  readonly link: 'online' | 'offline' | undefined
  /** Whether devices are behind it. */
  readonly hasChildren: boolean
  /** Whether one of its devices is overdue while the concentrator sends no message at all. */
  readonly isMissed: boolean
}

/**
 * A concentrator is silent after it signed off. Otherwise it is silent if it sent nothing within its own period, but
 * only if one of its devices is overdue: it may have nothing to report itself, and with an open link it may have no
 * devices.
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

/** Input of the rules for a device. Instants are Unix ms. */
export interface DeviceFacts {
  /** Instant of its newest data; undefined if there was none. */
  readonly reportedAt: number | undefined
  /** Instant since which its concentrator is back, after it was silent or missed; undefined if it was neither. */
  readonly graceFrom: number | undefined
}

/**
 * A device is present while its newest reading is younger than its allowance. After that it is silent only if its
 * concentrator, if it has one, went on reporting while the device missed its reports.
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
  const hadTime = (concentrator.reportedAt ?? 0) - (reportedAt ?? 0) >= allowance - periodS * 1_000
  return hadTime ? 'silent' : 'unknown'
}
