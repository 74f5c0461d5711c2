import type { ScanOutcome } from '@isotherm/contract/endpoints/devices/line-scans'
import { replyCodes } from '@isotherm/contract/mqtt'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { LineScanRow } from './line-scans.pg.ts'

/** A gateway reports its progress every few seconds; one that reports nothing for this time has lost the search, ms. */
export const SILENT_MS = MINUTE_MS

const outcomes: ReadonlyMap<number, ScanOutcome> = new Map([
  [replyCodes.ok, 'done'],
  [replyCodes.badArguments, 'unsupported'],
  [replyCodes.unsupported, 'unsupported'],
  [replyCodes.noSuchChild, 'unknown-line'],
  [replyCodes.busTimeout, 'line-offline'],
  [replyCodes.busy, 'busy'],
  [replyCodes.superseded, 'withdrawn'],
  [replyCodes.expired, 'expired'],
])

type Facts = Pick<LineScanRow, 'is_sent' | 'created_ms' | 'reported_ms' | 'stop_ms' | 'ended_ms' | 'code'>

/** State or result of a search at `now`, Unix ms. */
export function toScanOutcome(scan: Facts, now: number): ScanOutcome {
  if (!scan.is_sent) return 'gateway-offline'
  if (scan.ended_ms !== null) {
    const outcome = outcomes.get(scan.code ?? replyCodes.ok) ?? 'failed'
    return outcome === 'done' && scan.stop_ms !== null ? 'stopped' : outcome
  }
  if (now - (scan.reported_ms ?? scan.created_ms) > SILENT_MS) return 'gateway-silent'
  return scan.reported_ms === null ? 'waiting' : 'searching'
}

/** Whether the search may still be running at `now`. */
export const isGoingOn = (scan: Facts, now: number): boolean =>
  ['waiting', 'searching'].includes(toScanOutcome(scan, now))
