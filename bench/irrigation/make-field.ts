import type { GroupSpec, LocalClock, ProgramSpec, SourceSpec } from '@isotherm/irrigation/plan/model'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { createRandom } from '@isotherm/kernel/random'

/** A source with its groups and programs. */
export interface BenchSource {
  readonly source: SourceSpec
  readonly groups: readonly GroupSpec[]
  readonly programs: readonly ProgramSpec[]
}

const GROUPS_OF_A_SOURCE = 20
const VALVES = 4
const PROGRAMS = 4

/** Local time of the field: eight hours ahead of UTC, without changes. */
export const clock: LocalClock = {
  toLocal: (ms) => ms + 8 * HOUR_MS,
  toInstant: (localMs) => localMs - 8 * HOUR_MS,
}

/** Groups of four valves at sources of 20 groups each, with four programs a source; the same for each seed. */
export function makeField(groupCount: number, seed: number): readonly BenchSource[] {
  const random = createRandom(seed)
  const between = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1))
  return Array.from({ length: Math.ceil(groupCount / GROUPS_OF_A_SOURCE) }, (_, sourceIndex) => {
    const groups = Array.from({ length: GROUPS_OF_A_SOURCE }, (_, index): GroupSpec => {
      const id = sourceIndex * GROUPS_OF_A_SOURCE + index + 1
      return {
        id,
        mode: random() < 0.5 ? 'parallel' : 'sequential',
        valves: Array.from({ length: VALVES }, (_, valve) => ({
          id: id * VALVES + valve,
          flowM3H: between(2, 6),
          maxS: 3_600,
        })),
      }
    })
    const size = GROUPS_OF_A_SOURCE / PROGRAMS
    const programs = Array.from(
      { length: PROGRAMS },
      (_, index): ProgramSpec => ({
        id: sourceIndex * PROGRAMS + index + 1,
        days: index % 2 === 0 ? { kind: 'every', n: 2, from: 0 } : { kind: 'weekdays', days: [0, 2, 4] },
        starts: [{ kind: 'time', minute: 240 + 30 * index }],
        entries: groups
          .slice(index * size, (index + 1) * size)
          .map(({ id: groupId }) => ({ groupId, runS: between(600, 1_500) })),
        cycle: index === 0 ? { maxS: 600, soakS: 900 } : undefined,
        seasonalPct: 100,
        designEtMm: 5,
        together: index % 2 === 1,
      }),
    )
    const source = { capacityM3H: 30, dailyBudgetM3: 120, leadS: 30, groupDelayS: 20 }
    return { source, groups, programs }
  })
}
