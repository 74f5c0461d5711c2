/** Prior of a coefficient. */
export interface CoefficientPrior {
  readonly mean: number
  readonly sigma: number
}

/**
 * Most likely linear law, and the logarithm of the probability of its data. Only differences of `logEvidence` have a
 * meaning.
 */
export interface LinearEstimate {
  readonly coefficients: Float64Array
  readonly squares: number
  readonly logEvidence: number
}

/** Lower triangle L of A = L·Lᵀ, row by row, for A symmetric and positive definite. Writes `matrix`. */
function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row * size + column] ?? 0
      for (let k = 0; k < column; k++)
        rest -= (matrix[row * size + k] ?? 0) * (matrix[column * size + k] ?? 0)
      matrix[row * size + column] =
        row === column ? Math.sqrt(rest) : rest / (matrix[column * size + column] ?? 1)
    }
}

/** x of L·Lᵀ·x = b. */
function solve(lower: Float64Array, size: number, b: Float64Array): Float64Array {
  const x = b.slice()
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) x[row] = (x[row] ?? 0) - (lower[row * size + k] ?? 0) * (x[k] ?? 0)
    x[row] = (x[row] ?? 0) / (lower[row * size + row] ?? 1)
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) x[row] = (x[row] ?? 0) - (lower[k * size + row] ?? 0) * (x[k] ?? 0)
    x[row] = (x[row] ?? 0) / (lower[row * size + row] ?? 1)
  }
  return x
}

/**
 * y = Σ c_p·x_p + noise of standard deviation `sigma`, with a normal prior on each c_p. Returns the most likely
 * coefficients and the logarithm of the probability of y with all coefficients integrated out. Source: Bishop,
 * Pattern Recognition 3.5.1. Worked example: linear-estimate.test.ts.
 */
export function estimateLinear(
  y: Float64Array,
  columns: readonly Float64Array[],
  priors: readonly CoefficientPrior[],
  sigma: number,
): LinearEstimate {
  const size = columns.length
  const matrix = new Float64Array(size * size)
  const right = new Float64Array(size)
  columns.forEach((one, row) => {
    const { mean = 0, sigma: wide = 1 } = priors[row] ?? {}
    for (let column = 0; column <= row; column++) {
      const other = columns[column]
      let sum = 0
      for (let k = 0; k < one.length; k++) sum += (one[k] ?? 0) * (other?.[k] ?? 0)
      matrix[row * size + column] = sum / sigma ** 2 + (row === column ? wide ** -2 : 0)
    }
    let sum = 0
    for (let k = 0; k < one.length; k++) sum += (one[k] ?? 0) * (y[k] ?? 0)
    right[row] = sum / sigma ** 2 + mean * wide ** -2
  })
  factorise(matrix, size)
  const coefficients = solve(matrix, size, right)
  let squares = 0
  for (let k = 0; k < y.length; k++) {
    let miss = y[k] ?? 0
    for (let p = 0; p < size; p++) miss -= (coefficients[p] ?? 0) * (columns[p]?.[k] ?? 0)
    squares += miss * miss
  }
  let logEvidence = -squares / (2 * sigma ** 2) - y.length * Math.log(sigma)
  for (let p = 0; p < size; p++) {
    const { mean = 0, sigma: wide = 1 } = priors[p] ?? {}
    logEvidence -= (((coefficients[p] ?? 0) - mean) / wide) ** 2 / 2
    logEvidence -= Math.log(wide * (matrix[p * size + p] ?? 1))
  }
  return { coefficients, squares, logEvidence }
}
