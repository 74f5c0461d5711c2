import type { GroupSpec, PlanConflict, ProgramSpec, ValveSpec } from './model.ts'

/** Valves that are opened and closed together, before they have a time. */
export interface Unit {
  readonly groupId: number
  readonly valves: readonly ValveSpec[]
  readonly flowM3H: number
  /** Water time, s. */
  readonly totalS: number
  /** Longest time at a stretch, s. */
  readonly cycleS: number
}

const sumFlow = (valves: readonly ValveSpec[]): number =>
  valves.reduce((sum, { flowM3H }) => sum + flowM3H, 0)

/** The valves of a group in sets that run together: single valves, or as many in order as the capacity allows. */
function splitGroup({ mode, valves }: GroupSpec, capacityM3H: number): readonly (readonly ValveSpec[])[] {
  const sets: ValveSpec[][] = []
  for (const valve of valves) {
    const last = sets.at(-1)
    if (mode === 'parallel' && last && sumFlow(last) + valve.flowM3H <= capacityM3H) last.push(valve)
    else sets.push([valve])
  }
  return sets
}

/** The sets of valves that a program waters, in order. Records groups that are wet, and valves that take too much. */
export function listUnits(
  { entries, cycle }: Pick<ProgramSpec, 'entries' | 'cycle'>,
  groups: ReadonlyMap<number, GroupSpec>,
  capacityM3H: number,
  factor: number,
  isWet: (group: GroupSpec) => boolean,
): { readonly units: readonly Unit[]; readonly conflicts: readonly PlanConflict[] } {
  const conflicts: PlanConflict[] = []
  const units = entries.flatMap(({ groupId, runS }): Unit[] => {
    const group = groups.get(groupId)
    if (!group) return []
    if (isWet(group)) {
      conflicts.push({ kind: 'moist', groupId })
      return []
    }
    const fitting = group.valves.filter(({ id, flowM3H }) => {
      if (flowM3H <= capacityM3H) return true
      conflicts.push({ kind: 'capacity', valveId: id })
      return false
    })
    const totalS = Math.round(runS * factor)
    if (totalS < 1) return []
    return splitGroup({ ...group, valves: fitting }, capacityM3H).map((valves) => ({
      groupId,
      valves,
      flowM3H: sumFlow(valves),
      totalS,
      cycleS: Math.min(cycle?.maxS ?? Number.POSITIVE_INFINITY, ...valves.map(({ maxS }) => maxS)),
    }))
  })
  return { units, conflicts }
}

/** A part of a unit's water time. */
export interface Part {
  readonly unit: Unit
  readonly durationS: number
  /** Soak since the unit's part before, s; undefined for its first. */
  readonly soakS: number | undefined
}

/**
 * The parts in their order: the first cycle of all units, then the second, and so on, so that others are watered while one
 * soaks. The parts of a unit are equal to a second.
 */
export function listParts(units: readonly Unit[], soakS: number): readonly Part[] {
  const counts = units.map(({ totalS, cycleS }) => Math.ceil(totalS / Math.max(1, cycleS)))
  const rounds = Math.max(0, ...counts)
  return Array.from({ length: rounds }, (_, cycle) => cycle).flatMap((cycle) =>
    units.flatMap((unit, index): Part[] => {
      const count = counts[index] ?? 0
      if (cycle >= count) return []
      const base = Math.floor(unit.totalS / count)
      const durationS = base + (cycle < unit.totalS % count ? 1 : 0)
      return [{ unit, durationS, soakS: cycle === 0 ? undefined : soakS }]
    }),
  )
}
