import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'

type Moves = StoredStep['moves']
/** A wave of a round; all waves of it are given in their order. */
type Wave = Pick<StoredStep, 'kind' | 'moves' | 'state'>

const isSent = ({ state }: Wave): boolean => state === 'given' || state === 'done'

/** Moves of the round's take-backs: starved valves open again, and valves that relied on them close again. */
const takenBackMoves = (steps: readonly Wave[]): Moves =>
  steps.flatMap((step) => (step.kind === 'take-back' && isSent(step) ? step.moves : []))

/** Ids of the valves of starved buildings that the round took back. */
export const listStarved = (steps: readonly Wave[]): ReadonlySet<number> =>
  new Set(takenBackMoves(steps).flatMap(({ deviceId, fromPct, toPct }) => (toPct > fromPct ? deviceId : [])))

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

/** Valves that stay where they were before the round, because they were taken back or not moved: their openings, %. */
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
