import type { Command, ValveHold } from '@isotherm/contract/command'
import { finalCommandStates } from '@isotherm/contract/command'
import { type Device, type DeviceState, isStale } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, type MetricName, quality } from '@isotherm/contract/metrics'

/** What a table row stands for: one device, its newest values if it ever reported, its newest command if any. */
export interface ValveRow {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly command: Command | undefined
  /** What holds its opening, if anything does. */
  readonly hold: ValveHold | undefined
}

/**
 * How much an operator may trust what a row shows. A `silent` device missed its turns; of an `unknown` one nobody can
 * tell, for its concentrator is silent; one that `never` reported has nothing to show.
 */
export type Trust = 'live' | 'doubtful' | 'stale' | 'silent' | 'unknown' | 'never'

/** How far a device's newest values can be trusted at `now` (Unix ms). Absence outweighs age, and age quality. */
export function toTrust(device: Device, state: DeviceState | undefined, now: number): Trust {
  if (!state) return 'never'
  if (state.absence) return state.absence
  if (isStale(state.ts, device.periodS, now) || (state.quality & quality.stale) !== 0) return 'stale'
  return (state.quality & DOUBTFUL_QUALITY) === 0 ? 'live' : 'doubtful'
}

/** The command a device is still working on, if any. */
export const findPending = (command: Command | undefined): Command | undefined =>
  command && !finalCommandStates.has(command.state) ? command : undefined

export const findMetric = (state: DeviceState | undefined, name: MetricName): number | undefined =>
  state?.metrics[name]

/**
 * The opening a valve is meant to have, %: of the command under way, else what the device reports as its
 * target, else of the last confirmed command.
 */
export function findTargetPct(row: Pick<ValveRow, 'state' | 'command'>): number | undefined {
  const pending = findPending(row.command)
  if (pending) return pending.openingPct
  const reported = findMetric(row.state, 'valve.target')
  return reported ?? (row.command?.state === 'confirmed' ? row.command.openingPct : undefined)
}

export const canControl = (device: Device): boolean => device.abilities.includes('control')
