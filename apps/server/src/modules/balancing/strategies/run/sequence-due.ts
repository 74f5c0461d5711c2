import type { SequenceGroup, SequencePlan } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../../platform/app-error.ts'
import type { Planner } from '../../plan/planner.ts'
import { findGroupPaths } from '../timeline/groups.ts'
import { createFindPreheat, type GroupSight, isToIdentify } from '../timeline/preheat.ts'
import { type Border, findDue, listBorders } from '../timeline/timeline.ts'
import type { StrategyLookNeeds, StrategySight } from './tick-needs.ts'

/** No timetable is longer than a week. */
const AHEAD_MS = 8 * 24 * HOUR_MS
/** While a group may begin to preheat, its rooms are looked at this often, ms. */
const PREHEAT_LOOK_MS = 600_000
const NOTHING_SEEN: GroupSight = { roomC: undefined, outdoorC: undefined }

/** What groups should be held to now, and when something is due next, Unix ms. */
export interface SequenceDue {
  readonly wanted: readonly Border[]
  /** When the next border is due, as it looks now. */
  readonly nextAt: number
  readonly lookAt: number
}

/** What is seen of groups that preheat; nothing of a loop that has no station any more. */
export async function seeGroups(
  needs: Pick<StrategyLookNeeds, 'readSight' | 'network'> & {
    readonly planner: Pick<Planner, 'findPlace'>
  },
  node: string,
  plan: SequencePlan,
): Promise<readonly GroupSight[]> {
  if (!plan.groups.some(({ preheat }) => preheat)) return plan.groups.map(() => NOTHING_SEEN)
  try {
    const sight = await needs.readSight(await needs.planner.findPlace(node))
    const paths = await findGroupPaths(needs.network, plan)
    const seen: GroupSight[] = []
    // One after the other: each is some 100 ms of work where nothing is kept of it.
    for (const [index, own] of paths.entries()) {
      const group = plan.groups[index]
      const timeConstant = group && isToIdentify(group) ? await sight.findTimeConstant(own) : undefined
      seen.push({ roomC: sight.roomC(own), outdoorC: sight.outdoorC, timeConstant })
    }
    return seen
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return plan.groups.map(() => NOTHING_SEEN)
  }
}

/** Rooms cool otherwise than was thought: from when preheating may begin on they are looked at again and again. */
function toLook({ preheat }: SequenceGroup, nextAt: number, now: number): number {
  if (!preheat) return nextAt
  return Math.min(nextAt, Math.max(now + PREHEAT_LOOK_MS, nextAt - preheat.mostHours * HOUR_MS))
}

/** Where the groups of a sequence should be now. */
export async function findSequenceDue(
  needs: StrategyLookNeeds,
  { strategy, zone, now }: StrategySight,
  plan: SequencePlan,
): Promise<SequenceDue> {
  const seen = await seeGroups(needs, strategy.node, plan)
  let nextAt = now + AHEAD_MS
  let lookAt = nextAt
  const wanted = plan.groups.map((group, place): Border => {
    const borders = listBorders(group, zone, now, now + AHEAD_MS)
    const findPreheat = createFindPreheat(group, seen[place] ?? NOTHING_SEEN, now)
    const held = strategy.held?.groups[place]
    const found = findDue(borders, held, now, findPreheat)
    if (found?.nextAt !== undefined) {
      nextAt = Math.min(nextAt, found.nextAt)
      lookAt = Math.min(lookAt, toLook(group, found.nextAt, now))
    }
    // A timetable always holds something: it begins a week before.
    return found?.wanted ?? { at: now, level: group.base }
  })
  return { wanted, nextAt, lookAt }
}
