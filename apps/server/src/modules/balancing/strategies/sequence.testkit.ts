import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { SequencePlan } from '@isotherm/contract/balancing/strategies'
import { DAY_MS } from '@isotherm/kernel/durations'
import { createTimeZone } from '../../../platform/time-zone.ts'
import type { StrategiesBench } from './strategies.testkit.ts'
import { listBoundaries } from './timeline/timeline.ts'

export const night: SlotLevel = { kind: 'flow', share: 0.2 }
export const day: SlotLevel = { kind: 'flow', share: 1 }
/** Time zone of the test company. */
export const zone = createTimeZone('Asia/Shanghai')

/** Every day from six to six. */
export const group = {
  name: '学校',
  nodes: ['a1'],
  base: night,
  shiftMinutes: 0,
  slots: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    day: weekday,
    fromMinute: 360,
    toMinute: 1_080,
    level: day,
  })),
}
export const school: SequencePlan = { kind: 'sequence', frostC: 8, groups: [group] }

/** Sets the clock to shortly after the next boundary at which a level starts. */
export function turnTo(
  { clock, settings }: Pick<StrategiesBench, 'clock' | 'settings'>,
  level: SlotLevel,
): void {
  const now = clock.now()
  const next = listBoundaries(group, zone, now, now + 3 * DAY_MS)
    .slice(1)
    .find((boundary) => boundary.level === level)
  settings.aheadMs += (next?.at ?? now) - now + 1_000
}

/** Planned levels, in order. */
export const listLevels = ({ plannedModes }: StrategiesBench): readonly (readonly SlotLevel[])[] =>
  plannedModes.map((mode) => (mode.kind === 'sequence' ? mode.groups.map(({ level }) => level) : []))

/** States of the started campaigns, oldest first. */
export const listStates = async ({ listBegun }: StrategiesBench): Promise<readonly string[]> =>
  (await listBegun()).map(({ state }) => state)
