import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { PlannedStep } from '../../plan/planner.ts'

type Moves = PlannedStep['moves']

/** Orders of a wave: valves, or the pump. */
export interface Wave {
  readonly moves: Moves
  readonly pump?: PumpMove | null | undefined
}
interface RollbackWave extends Wave {
  readonly pump?: PumpMove | undefined
}

const turn = ({ deviceId, fromKpa, toKpa }: PumpMove): PumpMove => ({
  deviceId,
  fromKpa: toKpa,
  toKpa: fromKpa,
})

/**
 * Rollback of the waves that were sent, in their order. Each wave is reversed as a whole, the last one first. So
 * valves that closed open before valves that opened close, a head that was lowered first rises last, the loop only
 * passes through states it has been in, and no valve moves further at once than before.
 */
export const toRollback = (given: readonly Wave[]): readonly RollbackWave[] =>
  given
    .map(
      ({ moves, pump }): RollbackWave => ({
        moves: moves.map(({ deviceId, fromPct, toPct }) => ({ deviceId, fromPct: toPct, toPct: fromPct })),
        ...(pump ? { pump: turn(pump) } : {}),
      }),
    )
    .reverse()

/**
 * Second rollback when some commands had no answer: each valve directly to its opening before the first wave, opening
 * valves first. A head that falls comes before the valves, one that rises after them. Valves that are already there
 * do not move.
 */
export function toSecondRollback(given: readonly Wave[]): readonly RollbackWave[] {
  const ends = new Map<number, { fromPct: number; toPct: number }>()
  for (const { deviceId, fromPct, toPct } of given.flatMap(({ moves }) => moves)) {
    ends.set(deviceId, { fromPct: toPct, toPct: ends.get(deviceId)?.toPct ?? fromPct })
  }
  const moves = [...ends].map(([deviceId, end]) => ({ deviceId, ...end }))
  const isOpening = ({ fromPct, toPct }: Moves[number]): boolean => toPct > fromPct
  const waves = [moves.filter(isOpening), moves.filter((move) => !isOpening(move))]
    .filter((wave) => wave.length > 0)
    .map((wave): RollbackWave => ({ moves: wave }))
  const heads = given.flatMap(({ pump }) => pump ?? [])
  const [first, last] = [heads[0], heads.at(-1)]
  if (!first || !last) return waves
  const head = { moves: [], pump: { ...first, fromKpa: last.toKpa, toKpa: first.fromKpa } }
  return head.pump.toKpa < head.pump.fromKpa ? [head, ...waves] : [...waves, head]
}
