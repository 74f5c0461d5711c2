import { roomQuantile, type Tally } from './tally.ts'

/** Comfort of a season: the room temperature that 95 % of all rooms and hours exceed, °C. */
export const comfortOf = (tally: Tally): number => roomQuantile(tally, 0.05)

/** A value at a comfort, on the line through two seasons with different supply temperatures. */
export function atComfort(
  comfortC: number,
  [one, other]: readonly [Tally, Tally],
  read: (tally: Tally) => number,
): number {
  const [from, to] = [comfortOf(one), comfortOf(other)]
  return read(one) + ((comfortC - from) / (to - from)) * (read(other) - read(one))
}

/** A sum of degree-hours at a comfort: it falls by about the same factor for each kelvin. */
export const degreeHoursAt = (
  comfortC: number,
  tallies: readonly [Tally, Tally],
  read: (tally: Tally) => number,
): number => Math.exp(atComfort(comfortC, tallies, (tally) => Math.log(Math.max(1, read(tally)))))
