import type { PlannedStep } from './planner.ts'

type Moves = PlannedStep['moves']

/**
 * The way back from waves that were given, in the order in which they were: each is taken back as it was given, the last
 * one first. So what was closed opens before what was opened closes, the loop stands only where it has stood before, and
 * no valve is turned farther at once than it was on the way there.
 */
export const toWayBack = (given: readonly Moves[]): readonly Moves[] =>
  given
    .map((moves) =>
      moves.map(({ deviceId, fromPct, toPct }) => ({ deviceId, fromPct: toPct, toPct: fromPct })),
    )
    .reverse()

/**
 * The way back once more, when some did not follow: each valve at once to where it was before the first wave, those first
 * that open. Those that are there already stay there.
 */
export function toWayBackAgain(given: readonly Moves[]): readonly Moves[] {
  const ends = new Map<number, { fromPct: number; toPct: number }>()
  for (const { deviceId, fromPct, toPct } of given.flat()) {
    ends.set(deviceId, { fromPct: toPct, toPct: ends.get(deviceId)?.toPct ?? fromPct })
  }
  const moves = [...ends].map(([deviceId, end]) => ({ deviceId, ...end }))
  const isOpening = ({ fromPct, toPct }: Moves[number]): boolean => toPct > fromPct
  const waves = [moves.filter(isOpening), moves.filter((move) => !isOpening(move))]
  return waves.filter((wave) => wave.length > 0)
}
