import type { SequenceGroup, SequencePlan } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../../platform/app-error.ts'
import type { Planner } from '../../plan/planner.ts'
import { findGroupPaths } from '../timeline/groups.ts'
import { createFindPreheat, type GroupReadings, isToIdentify } from '../timeline/preheat.ts'
import { type Boundary, findDue, listBoundaries } from '../timeline/timeline.ts'
import type { StrategyContext, StrategyTickNeeds } from './tick-needs.ts'

/** How far ahead boundaries of a timetable are listed, ms: a day more than the week after which it repeats. */
const AHEAD_MS = 8 * 24 * HOUR_MS
/** Time between two ticks while preheating may start, ms. */
const PREHEAT_TICK_MS = 600_000
const NOTHING_SEEN: GroupReadings = { roomC: undefined, outdoorC: undefined }

/** Target levels of the groups now, and when something is due next, Unix ms. */
export interface SequenceDue {
  /** For each group the boundary of its timetable at which its present level began. */
  readonly wanted: readonly Boundary[]
  /** When the next boundary is due, as estimated now. */
  readonly nextAt: number
  /** When to compute this again; earlier than `nextAt` while preheating may start. */
  readonly tickAt: number
}

/** Reads the rooms of groups with preheating; the result is empty if the loop has no station any more. */
export async function readGroups(
  needs: Pick<StrategyTickNeeds, 'readSnapshot' | 'network'> & {
    readonly planner: Pick<Planner, 'findPlace'>
  },
  node: string,
  plan: SequencePlan,
): Promise<readonly GroupReadings[]> {
  if (!plan.groups.some(({ preheat }) => preheat)) return plan.groups.map(() => NOTHING_SEEN)
  try {
    const context = await needs.readSnapshot(await needs.planner.findPlace(node))
    const paths = await findGroupPaths(needs.network, plan)
    const seen: GroupReadings[] = []
    // One after the other: each takes about 100 ms if it is not cached.
    for (const [index, own] of paths.entries()) {
      const group = plan.groups[index]
      const timeConstant = group && isToIdentify(group) ? await context.findTimeConstant(own) : undefined
      seen.push({ roomC: context.roomC(own), outdoorC: context.outdoorC, timeConstant })
    }
    return seen
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return plan.groups.map(() => NOTHING_SEEN)
  }
}

/**
 * When to check a group again. Rooms may cool differently from the estimate, so from the earliest start of preheating on they
 * are checked every PREHEAT_TICK_MS.
 */
function toTick({ preheat }: SequenceGroup, nextAt: number, now: number): number {
  if (!preheat) return nextAt
  return Math.min(nextAt, Math.max(now + PREHEAT_TICK_MS, nextAt - preheat.maxHours * HOUR_MS))
}

/** The present target levels of the groups of a sequence. */
export async function findSequenceDue(
  needs: StrategyTickNeeds,
  { strategy, zone, now }: StrategyContext,
  plan: SequencePlan,
): Promise<SequenceDue> {
  const seen = await readGroups(needs, strategy.node, plan)
  let nextAt = now + AHEAD_MS
  let tickAt = nextAt
  const wanted = plan.groups.map((group, place): Boundary => {
    const boundaries = listBoundaries(group, zone, now, now + AHEAD_MS)
    const findPreheat = createFindPreheat(group, seen[place] ?? NOTHING_SEEN, now)
    const held = strategy.held?.groups[place]
    const found = findDue(boundaries, held, now, findPreheat)
    if (found?.nextAt !== undefined) {
      nextAt = Math.min(nextAt, found.nextAt)
      tickAt = Math.min(tickAt, toTick(group, found.nextAt, now))
    }
    // Never the fallback: the boundaries start a week earlier, so one is valid now.
    return found?.wanted ?? { at: now, level: group.base }
  })
  return { wanted, nextAt, tickAt }
}
