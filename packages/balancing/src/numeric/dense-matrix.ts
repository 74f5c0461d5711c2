/**
 * Small square matrices, row by row in one array; vectors as arrays. Their size is the number of snapshots: a
 * handful.
 */

/**
 * Inverse of a symmetric positive definite matrix, by Gauss–Jordan without pivoting, which such a matrix does not
 * need.
 */
export function invertDefinite(matrix: Float64Array, size: number): Float64Array {
  const left = matrix.slice()
  const inverse = new Float64Array(size * size)
  for (let i = 0; i < size; i++) inverse[i * size + i] = 1
  for (let pivot = 0; pivot < size; pivot++) {
    const by = 1 / (left[pivot * size + pivot] ?? 1)
    for (let column = 0; column < size; column++) {
      left[pivot * size + column] = by * (left[pivot * size + column] ?? 0)
      inverse[pivot * size + column] = by * (inverse[pivot * size + column] ?? 0)
    }
    for (let row = 0; row < size; row++) {
      const factor = row === pivot ? 0 : (left[row * size + pivot] ?? 0)
      if (factor === 0) continue
      for (let column = 0; column < size; column++) {
        const at = row * size + column
        left[at] = (left[at] ?? 0) - factor * (left[pivot * size + column] ?? 0)
        inverse[at] = (inverse[at] ?? 0) - factor * (inverse[pivot * size + column] ?? 0)
      }
    }
  }
  return inverse
}

/** A·x. */
export function multiply(matrix: Float64Array, x: Float64Array): Float64Array {
  const size = x.length
  const product = new Float64Array(size)
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++) sum += (matrix[row * size + column] ?? 0) * (x[column] ?? 0)
    product[row] = sum
  }
  return product
}

export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/** Adds factor·x·yᵀ to a matrix. */
export function addOuter(matrix: Float64Array, factor: number, x: Float64Array, y: Float64Array): void {
  const size = x.length
  for (let row = 0; row < size; row++) {
    const scaled = factor * (x[row] ?? 0)
    for (let column = 0; column < size; column++)
      matrix[row * size + column] = (matrix[row * size + column] ?? 0) + scaled * (y[column] ?? 0)
  }
}

/** Adds factor·x to a vector or matrix of the same length. */
export function addScaled(to: Float64Array, factor: number, x: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + factor * (x[i] ?? 0)
}
