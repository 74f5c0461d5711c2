import type { Command, ValveHold } from '@isotherm/contract/command'
import { finalCommandStates } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'

/** A valve with its newest values, newest command and hold. Each is undefined if there is none. */
export interface ValveRow {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly command: Command | undefined
  /** The hold in force: a held opening with an expiry and a priority. */
  readonly hold: ValveHold | undefined
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
