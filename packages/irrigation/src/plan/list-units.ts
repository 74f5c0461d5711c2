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
  let lastM3H = 0
  for (const valve of valves) {
    const last = sets.at(-1)
    if (mode === 'parallel' && last && lastM3H + valve.flowM3H <= capacityM3H) {
      last.push(valve)
      lastM3H += valve.flowM3H
    } else {
      sets.push([valve])
      lastM3H = valve.flowM3H
    }
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

/** Number of parts of a water time with a longest time at a stretch, both s. */
export const countParts = (totalS: number, cycleS: number): number => Math.ceil(totalS / Math.max(1, cycleS))

/**
 * The parts in their order: the first cycle of all units, then the second, and so on, so that others are watered while one
 * soaks. The parts of a unit are equal to a second. They are made on demand: hours of short cycles have millions.
 */
export function* listParts(units: readonly Unit[], soakS: number): Generator<Part, void> {
  let left = units.map((unit) => ({ unit, count: countParts(unit.totalS, unit.cycleS) }))
  for (let cycle = 0; left.length > 0; cycle++) {
    left = left.filter(({ count }) => cycle < count)
    for (const { unit, count } of left) {
      const durationS = Math.floor(unit.totalS / count) + (cycle < unit.totalS % count ? 1 : 0)
      yield { unit, durationS, soakS: cycle === 0 ? undefined : soakS }
    }
  }
}
