import type { ValveMove } from './fewest-moves.ts'

/** A wave that opens valves again. */
export interface EasingOrder {
  /** Valves that open. */
  readonly moves: readonly ValveMove[]
  /** Openings of all valves before the wave, 0..1. */
  readonly openings: ArrayLike<number>
  /** Consumers with cold rooms. */
  readonly cold: readonly number[]
  /** Predicted flows before the round, kg/s. */
  readonly beforeKgS: ArrayLike<number>
  /** Predicted flows at some openings, kg/s. */
  readonly solve: (openings: Float64Array) => ArrayLike<number>
}

/** A consumer with cold rooms keeps this share of its flow: a smaller loss cannot be measured. */
const LEFT = 0.99
/** Halvings of the common share: the result is within 2 % of the travel. */
const BISECTIONS = 6

/**
 * The moves, or the same moves with a common share of their travel, so that consumers with cold rooms keep their flow: 0.99
 * of that before the round, or of that before the wave if it is less. None if any opening takes too much. Worked example:
 * ease-harmless.test.ts.
 */
export function easeHarmless({ moves, openings, cold, beforeKgS, solve }: EasingOrder): readonly ValveMove[] {
  if (moves.length === 0 || cold.length === 0) return moves
  const partOf = (share: number): ValveMove[] =>
    moves.map((move) => ({ ...move, to: move.from + share * (move.to - move.from) }))
  const flowsWith = (opened: readonly ValveMove[]): ArrayLike<number> => {
    const at = Float64Array.from(openings)
    for (const { consumer, to } of opened) at[consumer] = to
    return solve(at)
  }
  const nowKgS = flowsWith([])
  const isHarmless = (opened: readonly ValveMove[]): boolean => {
    const flowKgS = flowsWith(opened)
    return cold.every((i) => (flowKgS[i] ?? 0) >= LEFT * Math.min(beforeKgS[i] ?? 0, nowKgS[i] ?? 0))
  }
  if (isHarmless(moves)) return moves
  let [low, high] = [0, 1]
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2
    if (isHarmless(partOf(middle))) low = middle
    else high = middle
  }
  return low === 0 ? [] : partOf(low)
}
