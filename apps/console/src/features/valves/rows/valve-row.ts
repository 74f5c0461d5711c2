import type { Command, ValveHold } from '@isotherm/contract/command'
import { finalCommandStates } from '@isotherm/contract/command'
import { type Device, type DeviceState, isStale } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, type MetricName, quality } from '@isotherm/contract/metrics'

/** A valve with its newest values, newest command and hold. Each is undefined if there is none. */
export interface ValveRow {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly command: Command | undefined
  /** The hold in force: a held opening with an expiry and a priority. */
  readonly hold: ValveHold | undefined
}

/**
 * How far an operator may trust a row. `silent`: the device missed its reports. `unknown`: its concentrator is silent, so
 * the state of the device is not known. `never`: the device has never reported.
 */
export type Trust = 'live' | 'doubtful' | 'stale' | 'silent' | 'unknown' | 'never'

/** Trust in the newest values at `now` (Unix ms). Absence outweighs age, and age outweighs quality. */
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
 * The target opening, %: of the command under way, else the target that the device reports, else of the last confirmed
 * command.
 */
export function findTargetPct(row: Pick<ValveRow, 'state' | 'command'>): number | undefined {
  const pending = findPending(row.command)
  if (pending) return pending.openingPct
  const reported = findMetric(row.state, 'valve.target')
  return reported ?? (row.command?.state === 'confirmed' ? row.command.openingPct : undefined)
}

export const canControl = (device: Device): boolean => device.abilities.includes('control')
