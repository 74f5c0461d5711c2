import type { MemberExclusion } from '@isotherm/contract/balancing'
import type { PlannerNeeds } from '../plan/planner-needs.ts'

export type Exclusions = ReadonlyMap<number, MemberExclusion>

/** Why valves may not be moved now, whatever they measure: a hold that outranks balancing, switched off, or not heard. */
export async function findExclusions(
  { findHeld, listSwitchedOff, presence }: Pick<PlannerNeeds, 'findHeld' | 'listSwitchedOff' | 'presence'>,
  deviceIds: readonly number[],
): Promise<Exclusions> {
  const [held, off] = await Promise.all([findHeld(deviceIds), listSwitchedOff(deviceIds)])
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
