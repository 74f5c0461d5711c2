import type { MemberExclusion } from '@isotherm/contract/balancing/campaign'
import type { HoldService } from '../../commands/index.ts'
import type { Devices } from '../../devices/index.ts'
import type { Telemetry } from '../../telemetry/index.ts'

export interface ExclusionNeeds {
  readonly findHoldPriorities: HoldService['findHoldPriorities']
  readonly listSwitchedOff: Devices['listSwitchedOff']
  readonly presence: Pick<Telemetry['presence'], 'find'>
}

export type Exclusions = ReadonlyMap<number, MemberExclusion>

/** Exclusions of valves that work the wrong way round. */
export const toInverted = (deviceIds: Iterable<number>): Exclusions =>
  new Map([...deviceIds].map((deviceId) => [deviceId, 'inverted']))

/**
 * Reasons why valves may not be moved now, whatever they measure: a hold with a higher priority than balancing,
 * switched off, or silent.
 */
export async function findExclusions(
  { findHoldPriorities, listSwitchedOff, presence }: ExclusionNeeds,
  deviceIds: readonly number[],
): Promise<Exclusions> {
  const [held, off] = await Promise.all([findHoldPriorities(deviceIds), listSwitchedOff(deviceIds)])
  const isOff = new Set(off)
  return new Map(
    deviceIds.flatMap((deviceId): [number, MemberExclusion][] => {
      const priority = held.get(deviceId)
      if (priority !== undefined && priority !== 'balancing') return [[deviceId, 'held']]
      if (isOff.has(deviceId)) return [[deviceId, 'switched-off']]
      return presence.find(deviceId) === 'present' ? [] : [[deviceId, 'absent']]
    }),
  )
}
