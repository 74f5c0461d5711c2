/** Values that differ by less than this share of their size are the same to a reader. */
const SAME = 1e-6

/**
 * Ends of the axis of a course: from the least to the greatest value, or from 0 if that is near. Equal values are shown from
 * 0, so that the axis never has a value that the figure cannot have.
 */
export function toScale(values: readonly number[]): readonly [low: number, high: number] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const low = least >= 0 && least < most / 2 ? 0 : least
  if (most - low > SAME * Math.max(Math.abs(low), Math.abs(most))) return [low, most]
  return most === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, most)]
}
