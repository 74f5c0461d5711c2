import type { StepGoal } from '@isotherm/balancing/step/step-targets'
import type { BalanceMode, SlotLevel } from '@isotherm/contract/balancing/campaign'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import { listAbove } from '../../../platform/scope/scope.ts'
import type { Loop } from './loop.ts'
import { returnOffsetsOf } from './return-offsets.ts'

/** Paths of the places of each group of a sequence, in its order. */
export type GroupPaths = readonly (readonly string[])[]

/**
 * Finds the group of a path; its time grows with the depth of the path. If groups are nested, the upper one counts.
 */
export function createGroupFinder(paths: GroupPaths): (path: string) => number | undefined {
  const groupOf = new Map<string, number>()
  for (const [group, own] of paths.entries())
    for (const path of own) if (!groupOf.has(path)) groupOf.set(path, group)
  return (path) =>
    [...listAbove(path), path].map((above) => groupOf.get(above)).find((group) => group !== undefined)
}

/** A consumer without a group has full flow. */
const FULL: SlotLevel = { kind: 'flow', share: 1 }

const levelsOf = (
  { groups }: Extract<BalanceMode, { kind: 'sequence' }>,
  { consumers }: Pick<Loop, 'consumers'>,
  paths: GroupPaths,
): readonly SlotLevel[] => {
  const findGroup = createGroupFinder(paths)
  return consumers.map(({ path }) => groups[findGroup(path) ?? groups.length]?.level ?? FULL)
}

/** Goal of a step, by consumer where the mode distinguishes them. */
export function toStepGoal(mode: BalanceMode, loop: Pick<Loop, 'consumers'>, paths: GroupPaths): StepGoal {
  if (mode.kind === 'temperature' && mode.target !== 'room') {
    // With the same supply, a lower return lowers the mean by half as much.
    const share = mode.target === 'mean' ? 0.5 : 1
    return { ...mode, offsetK: returnOffsetsOf(loop).map((offsetK) => share * offsetK) }
  }
  if (mode.kind !== 'sequence') return mode
  const levels = levelsOf(mode, loop, paths)
  return {
    kind: 'sequence',
    flowKgHM2: mode.flowKgHM2,
    frostC: mode.frostC,
    share: Float64Array.from(levels, (level) => (level.kind === 'flow' ? level.share : Number.NaN)),
    roomC: Float64Array.from(levels, (level) => (level.kind === 'room' ? level.roomC : Number.NaN)),
  }
}

/** Whether a group is colder on purpose: its rooms and its flow then do not count as missing. */
export const isLowered = (level: SlotLevel): boolean =>
  level.kind === 'flow' ? level.share < 1 : level.roomC < LEGAL_ROOM_C

/** By consumer, whether it is colder on purpose. */
export const findLowered = (
  mode: BalanceMode,
  loop: Pick<Loop, 'consumers'>,
  paths: GroupPaths,
): readonly boolean[] =>
  mode.kind === 'sequence' ? levelsOf(mode, loop, paths).map(isLowered) : loop.consumers.map(() => false)
