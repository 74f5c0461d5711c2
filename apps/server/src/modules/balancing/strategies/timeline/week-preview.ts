import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { SequenceChange, SequencePlan } from '@isotherm/contract/balancing/strategies'
import { WEEK_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../../platform/time-zone.ts'
import { createFindPreheat, type GroupReadings } from './preheat.ts'
import { isSameLevel, listBoundaries, toStart } from './timeline.ts'

/** When a group changes its level, and the slot for which it then preheats, Unix ms. */
interface GroupChange {
  readonly group: number
  readonly at: number
  readonly slotAt: number
  readonly level: SlotLevel
}

function listGroupChanges(
  plan: SequencePlan,
  group: number,
  seen: GroupReadings,
  { zone, now }: { readonly zone: TimeZone; readonly now: number },
): readonly GroupChange[] {
  const timetable = plan.groups[group]
  if (!timetable) return []
  const boundaries = listBoundaries(timetable, zone, now, now + WEEK_MS)
  const findPreheat = createFindPreheat(timetable, seen, now)
  return boundaries.flatMap((boundary, index): GroupChange[] => {
    const before = boundaries[index - 1]
    if (!before) return [{ group, at: now, slotAt: now, level: boundary.level }]
    if (isSameLevel(before.level, boundary.level)) return []
    const at = Math.max(now, toStart(before, boundary, findPreheat))
    return [{ group, at, slotAt: boundary.at, level: boundary.level }]
  })
}

/** All changes of a sequence in the coming week, in the order of time; the first is the present level. */
export function listWeekChanges(
  plan: SequencePlan,
  seen: readonly GroupReadings[],
  when: { readonly zone: TimeZone; readonly now: number },
): readonly SequenceChange[] {
  const nothing: GroupReadings = { roomC: undefined, outdoorC: undefined }
  const all = plan.groups
    .flatMap((_, group) => listGroupChanges(plan, group, seen[group] ?? nothing, when))
    .sort((one, other) => one.at - other.at || one.slotAt - other.slotAt)
  const levels = plan.groups.map(({ base }) => base)
  return [...Map.groupBy(all, ({ at }) => at)].map(([at, changes]): SequenceChange => {
    for (const { group, level } of changes) levels[group] = level
    const preheated = changes.flatMap(({ group, slotAt }) => (slotAt > at ? [{ group, slotAt }] : []))
    return { at, levels: [...levels], preheated }
  })
}
