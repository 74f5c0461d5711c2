import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { PlannedStep } from '../../plan/planner.ts'

type Moves = PlannedStep['moves']

/** What a wave did, or is to do: valves, or the pump. */
export interface Wave {
  readonly moves: Moves
  readonly pump?: PumpMove | null | undefined
}
interface WaveBack extends Wave {
  readonly pump?: PumpMove | undefined
}

const turn = ({ deviceId, fromKpa, toKpa }: PumpMove): PumpMove => ({
  deviceId,
  fromKpa: toKpa,
  toKpa: fromKpa,
})

/**
 * The way back from waves that were given, in the order in which they were: each is taken back as it was given, the last
 * one first. So what was closed opens before what was opened closes, a head that was lowered first rises last, the loop
 * stands only where it has stood before, and no valve is turned farther at once than it was on the way there.
 */
export const toWayBack = (given: readonly Wave[]): readonly WaveBack[] =>
  given
    .map(
      ({ moves, pump }): WaveBack => ({
        moves: moves.map(({ deviceId, fromPct, toPct }) => ({ deviceId, fromPct: toPct, toPct: fromPct })),
        ...(pump ? { pump: turn(pump) } : {}),
      }),
    )
    .reverse()

/**
 * The way back once more, when some did not follow: each valve at once to where it was before the first wave, those first
 * that open; before all of them a head that falls, after them one that rises. Those that are there already stay there.
 */
export function toWayBackAgain(given: readonly Wave[]): readonly WaveBack[] {
  const ends = new Map<number, { fromPct: number; toPct: number }>()
  for (const { deviceId, fromPct, toPct } of given.flatMap(({ moves }) => moves)) {
    ends.set(deviceId, { fromPct: toPct, toPct: ends.get(deviceId)?.toPct ?? fromPct })
  }
  const moves = [...ends].map(([deviceId, end]) => ({ deviceId, ...end }))
  const isOpening = ({ fromPct, toPct }: Moves[number]): boolean => toPct > fromPct
  const waves = [moves.filter(isOpening), moves.filter((move) => !isOpening(move))]
    .filter((wave) => wave.length > 0)
    .map((wave): WaveBack => ({ moves: wave }))
  const heads = given.flatMap(({ pump }) => pump ?? [])
  const [first, last] = [heads[0], heads.at(-1)]
  if (!first || !last) return waves
  const head = { moves: [], pump: { ...first, fromKpa: last.toKpa, toKpa: first.fromKpa } }
  return head.pump.toKpa < head.pump.fromKpa ? [head, ...waves] : [...waves, head]
}
