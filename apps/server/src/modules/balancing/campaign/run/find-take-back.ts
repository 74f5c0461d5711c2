import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import type { Verification } from '../../plan/planner.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'

type Moves = StoredStep['moves']
/** A wave of a round; all waves of it are given in their order. */
type Wave = Pick<StoredStep, 'kind' | 'moves' | 'state'>

const isSent = ({ state }: Wave): boolean => state === 'given' || state === 'done'

/** Moves of the round's take-backs: valves that closed too far open again, and valves that relied on them close again. */
const takenBackMoves = (steps: readonly Wave[]): Moves =>
  steps.flatMap((step) => (step.kind === 'take-back' && isSent(step) ? step.moves : []))

/** Closings of a round by device: they are sent once at most. */
const closingsOf = (steps: readonly Wave[]): ReadonlyMap<number, Moves[number]> =>
  new Map(
    steps
      .flatMap((step) => (step.kind === 'close' && isSent(step) ? step.moves : []))
      .map((move) => [move.deviceId, move]),
  )

/** Ids of the valves that the round closed and took back to where they were: their buildings starved. */
export function listStarved(steps: readonly Wave[]): ReadonlySet<number> {
  const closings = closingsOf(steps)
  return new Set(
    takenBackMoves(steps).flatMap(({ deviceId, toPct }) =>
      toPct >= (closings.get(deviceId)?.fromPct ?? Number.POSITIVE_INFINITY) ? deviceId : [],
    ),
  )
}

const reverse = ({ deviceId, fromPct, toPct }: Moves[number]): Moves[number] => ({
  deviceId,
  fromPct: toPct,
  toPct: fromPct,
})

/**
 * Waves that open valves and were planned after closings of which one is taken back. A plan opens all valves first,
 * except those that would take flow from cold rooms before others close. Without that closing they would do so.
 */
function listRelying<Step extends Wave>(steps: readonly Step[], starved: ReadonlySet<number>): Step[] {
  const first = steps.findIndex(
    ({ kind, moves }) => kind === 'close' && moves.some(({ deviceId }) => starved.has(deviceId)),
  )
  return first < 0 ? [] : steps.slice(first + 1).filter(({ kind }) => kind === 'open')
}

/** Valves that were taken back, in whole or in part, or not moved although the plan says so: their openings, %. */
export const listTakenBack = (steps: readonly Wave[]): ReadonlyMap<number, number> =>
  new Map([
    ...steps.flatMap(({ state, moves }) =>
      state === 'dropped' ? moves.map(({ deviceId, fromPct }) => [deviceId, fromPct] as const) : [],
    ),
    ...takenBackMoves(steps).map(({ deviceId, toPct }) => [deviceId, toPct] as const),
  ])

/** What takes closings of starved buildings back. */
export interface FoundTakeBack<Step> {
  readonly moves: Moves
  /** Waves that wait and must not be sent, because they rely on these closings. */
  readonly dropped: readonly Step[]
}

/**
 * Moves that take back the valves of starved buildings that this round closed, and those that it opened because of these
 * closings. A valve is taken back once: a building that still starves then aborts the campaign. No moves for any other
 * reason.
 */
export function findTakeBack<Step extends Wave>(
  reason: CampaignAbort,
  steps: readonly Step[],
): FoundTakeBack<Step> {
  if (reason.kind !== 'starved') return { moves: [], dropped: [] }
  const starving = new Set(reason.deviceIds)
  const taken = new Set(takenBackMoves(steps).map(({ deviceId }) => deviceId))
  const closed = steps
    .flatMap((step) => (step.kind === 'close' && isSent(step) ? step.moves : []))
    .filter(({ deviceId }) => starving.has(deviceId) && !taken.has(deviceId))
  const starved = new Set(closed.map(({ deviceId }) => deviceId))
  const relying = listRelying(steps, starved)
  const opened = relying
    .filter(isSent)
    .flatMap(({ moves }) => moves)
    .filter(({ deviceId }) => !taken.has(deviceId))
  return {
    moves: [...closed, ...opened].map(reverse),
    dropped: relying.filter(({ state }) => state === 'waiting'),
  }
}

/** Whether a wave opened valves again in part. What a starved building takes back goes back whole. */
const isEasing = ({ kind, moves }: Wave, closings: ReadonlyMap<number, Moves[number]>): boolean =>
  kind === 'take-back' &&
  moves.some(({ deviceId, toPct }) => toPct < (closings.get(deviceId)?.fromPct ?? Number.NEGATIVE_INFINITY))

/**
 * Moves that open valves again which closed further than planned and than their rooms allow, to the openings that the
 * settled round found, %. A round does so once: none after a wave that opened valves in part, and each valve once. What
 * opened after their closings stays: they get the flow that was planned.
 */
export function findEasing(
  overClosed: NonNullable<Verification['overClosed']>,
  steps: readonly Wave[],
): Moves {
  const closings = closingsOf(steps)
  if (steps.some((step) => isEasing(step, closings))) return []
  const taken = new Set(takenBackMoves(steps).map(({ deviceId }) => deviceId))
  return overClosed.flatMap(({ deviceId, toPct }) => {
    const closing = closings.get(deviceId)
    if (!closing || taken.has(deviceId) || toPct <= closing.toPct) return []
    return [{ deviceId, fromPct: closing.toPct, toPct: Math.min(toPct, closing.fromPct) }]
  })
}
