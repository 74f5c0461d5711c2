/**
 * Table of ln(1 + t^-0.9), the variable part of Swamee-Jain's friction factor: its logarithm is
 * ln(k/3.7D + 5.74/Re^0.9) = ln(k/3.7D) + ln(1 + t^-0.9) with t = Re·(k/3.7D/5.74)^(1/0.9), so one table in
 * one variable serves every wall with a roughness above zero. A cell is 1/64 of an octave, selected by the bits of the number.
 * It contains a polynomial of the fourth degree with an error below 1e-12.
 */

const CELL_BITS = 6
const CELLS_PER_OCTAVE = 1 << CELL_BITS
/** Range of t in octaves. Every rough wall is above the lower limit. Above the upper limit, and in the last cell, z counts as 0. */
const MIN_OCTAVE = -24
const MAX_OCTAVE = 40
const LAST_CELL = (MAX_OCTAVE - MIN_OCTAVE) * CELLS_PER_OCTAVE - 1
/** The high word of a double: 20 bits of its fraction below 11 of its exponent, which counts from −1023. */
const SHIFT = 20 - CELL_BITS
const FIRST = (MIN_OCTAVE + 1023) * CELLS_PER_OCTAVE

/** Smallest t of the table. */
export const MIN_ROUGH = 2 ** MIN_OCTAVE

const makeTable = (): Float64Array => new Float64Array(LAST_CELL + 1)
/** Coefficients by powers of t itself, and the slope by ln t in the middle of the cell. */
const [zeroth, first, second, third, fourth] = [
  makeTable(),
  makeTable(),
  makeTable(),
  makeTable(),
  makeTable(),
]
const slopes = makeTable()

/** Binomial coefficients of −0.9. */
const [C1, C2, C3, C4, C5] = [-0.9, 0.855, -0.8265, 0.8058375, -0.78972075]

/**
 * Series of ln(1 + z·(1 + u)^-0.9) in u = t/middle − 1, with z at the middle. The term u⁵ is replaced by its Chebyshev
 * approximation of lower degree, and u by t.
 */
function fillCell(cell: number): void {
  const within = 1 + ((cell % CELLS_PER_OCTAVE) + 0.5) / CELLS_PER_OCTAVE
  const middle = 2 ** (MIN_OCTAVE + Math.floor(cell / CELLS_PER_OCTAVE)) * within
  const z = middle ** -0.9
  // In terms of z/(1 + z) the series is a polynomial.
  const p = z / (1 + z)
  const a1 = C1 * p
  const a2 = C2 * p - (a1 * C1 * p) / 2
  const a3 = C3 * p - ((a1 * C2 + 2 * a2 * C1) * p) / 3
  const a4 = C4 * p - ((a1 * C3 + 2 * a2 * C2 + 3 * a3 * C1) * p) / 4
  const a5 = C5 * p - ((a1 * C4 + 2 * a2 * C3 + 3 * a3 * C2 + 4 * a4 * C1) * p) / 5
  const half = 0.5 / CELLS_PER_OCTAVE / within
  const b1 = a1 - (5 / 16) * a5 * half ** 4
  const b3 = a3 + (5 / 4) * a5 * half ** 2
  zeroth[cell] = Math.log1p(z) - b1 + a2 - b3 + a4
  first[cell] = (b1 - 2 * a2 + 3 * b3 - 4 * a4) / middle
  second[cell] = (a2 - 3 * b3 + 6 * a4) / middle ** 2
  third[cell] = (b3 - 4 * a4) / middle ** 3
  fourth[cell] = a4 / middle ** 4
  slopes[cell] = a1
}
for (let cell = 0; cell < LAST_CELL; cell++) fillCell(cell)

/** t/Re of a wall, by its k/D; 0 for a smooth wall. */
export const toRoughScale = (relativeRoughness: number): number =>
  (relativeRoughness / 3.7 / 5.74) ** (1 / 0.9)

/** The logarithm's constant part, by k/D. */
export const toRoughLogarithm = (relativeRoughness: number): number => Math.log(relativeRoughness / 3.7)

const double = new Float64Array([1])
const words = new Int32Array(double.buffer)
/** Which of a double's words is the high one on this machine. */
const HIGH = words[1] === 0 ? 0 : 1

// Separate functions, so that a loop reads both from one cell; one table per coefficient, so that one index check suffices.

/** The cell of a t >= 0. */
export function toCell(t: number): number {
  double[0] = t
  return Math.max(0, Math.min(LAST_CELL, ((words[HIGH] ?? 0) >> SHIFT) - FIRST))
}

/** ln(1 + t^-0.9) for a t >= MIN_ROUGH and its cell; nonsense, but a number, below. */
export function roughLogarithm(t: number, cell: number): number {
  const t2 = t * t
  const high = (second[cell] ?? 0) + t * (third[cell] ?? 0) + t2 * (fourth[cell] ?? 0)
  return (zeroth[cell] ?? 0) + t * (first[cell] ?? 0) + t2 * high
}

/** Its slope by ln t, within a hundredth. */
export const roughSlope = (cell: number): number => slopes[cell] ?? 0
