/**
 * ln x and 5.74·x^-0.9, which Swamee-Jain's friction is made of, from tables: in half the time of `Math.log` and a quarter of
 * that of `**`. In a cell with the middle c they are ln c + ln(1 + u) and 5.74·c^-0.9·(1 + u)^-0.9 with u = x/c − 1, each by
 * its series. A cell is the 64th part of an octave, read off the number's own bits; |u| < 1/128 leaves out less than 2e-15.
 */

const CELL_BITS = 6
const CELLS_PER_OCTAVE = 1 << CELL_BITS
/** The high word of a double: 20 bits of its fraction below 11 of its exponent, which counts from −1023. */
const SHIFT = 20 - CELL_BITS
const toFirstCell = (octave: number): number => (octave + 1023) * CELLS_PER_OCTAVE

/** The middles of the cells from 2^from to below 2^to. */
const toMiddles = (from: number, to: number): Float64Array =>
  Float64Array.from({ length: (to - from) * CELLS_PER_OCTAVE }, (_, cell) => {
    const octave = from + Math.floor(cell / CELLS_PER_OCTAVE)
    return 2 ** octave * (1 + ((cell % CELLS_PER_OCTAVE) + 0.5) / CELLS_PER_OCTAVE)
  })

/** Of what stands within Swamee-Jain's logarithm: 1.3e-8 at the largest tabled Re of a smooth wall, 2 at the roughest. */
const LEAST_LOG = -28
const logMiddles = toMiddles(LEAST_LOG, 1)
const firstLog = toFirstCell(LEAST_LOG)
const logs = logMiddles.map(Math.log)
const inverseOfLogs = logMiddles.map((middle) => 1 / middle)

/** Octaves of turbulent Re: from 2048 to 4e9. */
const LEAST_REYNOLDS = 11
const MOST_REYNOLDS = 32
const reynoldsMiddles = toMiddles(LEAST_REYNOLDS, MOST_REYNOLDS)
const firstReynolds = toFirstCell(LEAST_REYNOLDS)
const smoothTerms = reynoldsMiddles.map((middle) => 5.74 * middle ** -0.9)
const inverseOfReynolds = reynoldsMiddles.map((middle) => 1 / middle)

/** Re of turbulent flow and k/D from which on the tables do not serve. No pipe is so rough, nor water so fast. */
export const TABLED_REYNOLDS = 2 ** MOST_REYNOLDS
export const TABLED_ROUGHNESS = 7

const double = new Float64Array([1])
const words = new Int32Array(double.buffer)
/** Which of a double's words is the high one on this machine. */
const HIGH = words[1] === 0 ? 0 : 1

// Beyond its table each answers nonsense: to go another way there would double the time of both. They call nothing, for what
// they call in turn is not compiled into a caller's loop.

/** ln x for 2^-28 <= x < 2, within 1e-15 of it or, near x = 1, of 1. */
export function logarithm(x: number): number {
  double[0] = x
  const cell = Math.max(0, Math.min(logs.length - 1, ((words[HIGH] ?? 0) >> SHIFT) - firstLog))
  const u = x * (inverseOfLogs[cell] ?? 0) - 1
  const u2 = u * u
  return (logs[cell] ?? 0) + u + u2 * ((1 / 3) * u - 1 / 2 + u2 * ((1 / 5) * u - 1 / 4 - (1 / 6) * u2))
}

/** What a smooth wall adds within Swamee-Jain's logarithm, 5.74/Re^0.9, for 2^11 <= Re < 2^32, within 4e-15 of it. */
export function smoothTerm(reynolds: number): number {
  double[0] = reynolds
  const cell = Math.max(0, Math.min(smoothTerms.length - 1, ((words[HIGH] ?? 0) >> SHIFT) - firstReynolds))
  const u = reynolds * (inverseOfReynolds[cell] ?? 0) - 1
  const u2 = u * u
  // Binomial coefficients of −0.9.
  const rest = 0.8058375 - 0.78972075 * u + 0.7765587375 * u2
  return (smoothTerms[cell] ?? 0) * (1 - 0.9 * u + u2 * (0.855 - 0.8265 * u + u2 * rest))
}
