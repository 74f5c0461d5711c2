import type { Direction } from '@isotherm/balancing/moves/judge-direction'
import type { Observation, PlannedStep, RoundPlan } from '../../plan/planner.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import type { AnsweredWave } from './watch-wave.ts'

/** Ids of valves that work the wrong way round. */
export type Inverted = ReadonlySet<number>

export const listInverted = (directions: ReadonlyMap<number, Direction>): Inverted =>
  new Set([...directions].flatMap(([id, direction]) => (direction === 'inverted' ? id : [])))

type Moves = StoredStep['moves']

/** Below this share of the flow that the head allows, a valve has lost flow. */
const LOST_SHARE = 0.9
/** A building starves below this share of the flow that it had. */
const STARVED_SHARE = 0.7

/** The result of a wave without inverted valves: they are expected to report another opening than the ordered one. */
export function withoutInverted<Wave extends Pick<AnsweredWave, 'unanswered' | 'missed'>>(
  wave: Wave,
  inverted: Inverted,
): Wave {
  const missed = wave.missed.filter((id) => !inverted.has(id))
  return { ...wave, missed, unanswered: wave.unanswered - (wave.missed.length - missed.length) }
}

/** Waves as if inverted valves were no part of them. */
export const leaveOutInverted = (steps: readonly StoredStep[], inverted: Inverted): StoredStep[] =>
  steps.map((step) => ({
    ...withoutInverted(step, inverted),
    moves: step.moves.filter(({ deviceId }) => !inverted.has(deviceId)),
  }))

const flowsBefore = ({ members }: Pick<RoundPlan, 'members'>): ReadonlyMap<number, number | undefined> =>
  new Map(members.map(({ deviceId, before }) => [deviceId, before.flowM3H]))

/** A planned wave that watches the flow of an inverted valve by what it had, because it did not move as planned. */
export function watchByFlowBefore(step: PlannedStep, plan: RoundPlan, inverted: Inverted): PlannedStep {
  if (inverted.size === 0) return step
  const before = flowsBefore(plan)
  const minFlowM3H = step.minFlowM3H.map(([id, min]) => {
    const had = inverted.has(id) ? before.get(id) : undefined
    return [id, had === undefined ? min : Math.min(min, STARVED_SHARE * had)] as const
  })
  return { ...step, minFlowM3H }
}

/** Whether a valve has less flow than before the round, beyond what the head of the station explains. */
function hasLostFlow(
  deviceId: number,
  plan: Pick<RoundPlan, 'members' | 'station'>,
  { flowM3H, headKpa }: Pick<Observation, 'flowM3H' | 'headKpa'>,
): boolean {
  const [had, has] = [flowsBefore(plan).get(deviceId), flowM3H.get(deviceId)]
  const headBefore = plan.station.before.headKpa
  const byHead = headBefore && headKpa ? Math.sqrt(headKpa / headBefore) : 1
  return had !== undefined && has !== undefined && has < LOST_SHARE * Math.min(1, byHead) * had
}

/** What is known when valves may get an opening back. */
export interface GiveBackOrder {
  /** Waves since the plan was made, in their order; only what was sent counts. */
  readonly steps: readonly Pick<StoredStep, 'moves' | 'batchId'>[]
  readonly plan: Pick<RoundPlan, 'members' | 'station'>
  readonly directions: ReadonlyMap<number, Direction>
  readonly seen: Pick<Observation, 'flowM3H' | 'headKpa'>
  /** Ids of valves whose buildings starve. */
  readonly starved?: readonly number[]
}

/**
 * Moves that give valves back the opening that they had before the waves, if they have lost flow since. A valve that
 * reported x and reports 100 − p for an order p was where the order 100 − x leads, whether it goes to 100 − p or only
 * reports so. A valve that is only suspected must have lost its flow although its orders did not close it, or starve, and the
 * order must open it, so that it does no harm to one that follows. Without a measured loss of flow all stay. Each once.
 */
export function findGiveBack({ steps, plan, directions, seen, starved = [] }: GiveBackOrder): Moves {
  const sent = Map.groupBy(
    steps.flatMap(({ moves, batchId }) => (batchId === null ? [] : moves)),
    ({ deviceId }) => deviceId,
  )
  return [...directions].flatMap(([deviceId, direction]): Moves => {
    const moves = sent.get(deviceId)
    const [first, last] = [moves?.at(0), moves?.at(-1)]
    if (direction === 'usual' || !first || !last || !hasLostFlow(deviceId, plan, seen)) return []
    const toPct = 100 - first.fromPct
    const isOdd = last.toPct >= first.fromPct || starved.includes(deviceId)
    const isFree = direction === 'inverted' || (isOdd && toPct > last.toPct)
    return isFree && toPct !== last.toPct ? [{ deviceId, fromPct: last.toPct, toPct }] : []
  })
}
