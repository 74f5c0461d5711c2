import { orderByMinimumDegree } from './elimination-order.ts'

/**
 * A sparse symmetric positive definite system A·x = b with a fixed pattern and changing values: ordered and analysed
 * once, then factorised as L·D·Lᵀ and solved without allocation. Row by row as in T. A. Davis, "Algorithm 849: a concise
 * sparse Cholesky factorization package", ACM TOMS 31 (2005). Tests beside a dense solution: sparse-ldl.test.ts.
 */
export interface SparseLdl {
  readonly size: number
  /** Written by the caller before `factorise`: A's diagonal by unknown, and one value for each pair of unknowns. */
  readonly diagonal: Float64Array
  readonly offDiagonal: Float64Array
  /** Index in `offDiagonal` of each pair given to `createSparseLdl`. */
  readonly slotOfPair: Int32Array
  /** Number of entries of the factor L below its diagonal. */
  readonly factorSize: number
  readonly order: Int32Array
  /** Above the diagonal of the reordered A, by columns. */
  readonly columnStart: Int32Array
  readonly columnRow: Int32Array
  readonly columnSlot: Int32Array
  /** Elimination tree; -1 is a root. */
  readonly parent: Int32Array
  readonly factorStart: Int32Array
  readonly factorRow: Int32Array
  readonly factor: Float64Array
  readonly pivot: Float64Array
  readonly filled: Int32Array
  readonly flag: Int32Array
  readonly path: Int32Array
  readonly row: Float64Array
}

/** One slot for each pair of unknowns, even if it is given several times or in both directions. */
function numberPairs(first: Int32Array, second: Int32Array) {
  const slots = new Map<number, number>()
  const low: number[] = []
  const high: number[] = []
  const slotOfPair = Int32Array.from(first, (one, index) => {
    const other = second[index] ?? 0
    const key = Math.min(one, other) * 0x100000000 + Math.max(one, other)
    const known = slots.get(key)
    if (known !== undefined) return known
    const slot = slots.size
    slots.set(key, slot)
    low.push(Math.min(one, other))
    high.push(Math.max(one, other))
    return slot
  })
  return { slotOfPair, low, high }
}

/** Replaces each number by the sum of all numbers up to it: numbers per group, one place later, become the starts of the groups. */
export function accumulate(numbers: Int32Array): void {
  let sum = 0
  numbers.forEach((number, at) => {
    sum += number
    numbers[at] = sum
  })
}

/** The reordered matrix above its diagonal, column by column. */
function sortIntoColumns(size: number, order: Int32Array, low: readonly number[], high: readonly number[]) {
  const place = new Int32Array(size)
  order.forEach((unknown, k) => {
    place[unknown] = k
  })
  const ends = low.map((one, slot) => [place[one] ?? 0, place[high[slot] ?? 0] ?? 0] as const)
  const columnStart = new Int32Array(size + 1)
  for (const [a, b] of ends) columnStart[Math.max(a, b) + 1] = (columnStart[Math.max(a, b) + 1] ?? 0) + 1
  accumulate(columnStart)
  const next = columnStart.slice(0, size)
  const columnRow = new Int32Array(ends.length)
  const columnSlot = new Int32Array(ends.length)
  ends.forEach(([a, b], slot) => {
    const column = Math.max(a, b)
    const at = next[column] ?? 0
    columnRow[at] = Math.min(a, b)
    columnSlot[at] = slot
    next[column] = at + 1
  })
  return { columnStart, columnRow, columnSlot }
}

/** Elimination tree and where each column of L begins. */
function analyse(size: number, columnStart: Int32Array, columnRow: Int32Array) {
  const parent = new Int32Array(size).fill(-1)
  const flag = new Int32Array(size)
  const factorStart = new Int32Array(size + 1)
  for (let k = 0; k < size; k++) {
    flag[k] = k
    for (let p = columnStart[k] ?? 0; p < (columnStart[k + 1] ?? 0); p++) {
      for (let i = columnRow[p] ?? 0; flag[i] !== k; i = parent[i] ?? 0) {
        if (parent[i] === -1) parent[i] = k
        factorStart[i + 1] = (factorStart[i + 1] ?? 0) + 1
        flag[i] = k
      }
    }
  }
  accumulate(factorStart)
  return { parent, factorStart, flag }
}

/** Analyses the pattern: `size` unknowns, coupled where a pair (first[i], second[i]) of different unknowns is given. */
export function createSparseLdl(size: number, first: Int32Array, second: Int32Array): SparseLdl {
  const { slotOfPair, low, high } = numberPairs(first, second)
  const neighbours = Array.from({ length: size }, () => new Set<number>())
  low.forEach((one, slot) => {
    const other = high[slot] ?? 0
    neighbours[one]?.add(other)
    neighbours[other]?.add(one)
  })
  const order = orderByMinimumDegree(neighbours)
  const columns = sortIntoColumns(size, order, low, high)
  const analysis = analyse(size, columns.columnStart, columns.columnRow)
  const factorSize = analysis.factorStart[size] ?? 0
  return {
    size,
    diagonal: new Float64Array(size),
    offDiagonal: new Float64Array(low.length),
    slotOfPair,
    factorSize,
    order,
    ...columns,
    ...analysis,
    factorRow: new Int32Array(factorSize),
    factor: new Float64Array(factorSize),
    pivot: new Float64Array(size),
    filled: new Int32Array(size),
    path: new Int32Array(size),
    row: new Float64Array(size),
  }
}

/** Writes the columns of L with entries in row k to `path` from the returned index on, parents last. Scatters A's row k. */
function reachRow(ldl: SparseLdl, k: number): number {
  const { columnStart, columnRow, columnSlot, offDiagonal, flag, path, parent, row } = ldl
  let top = ldl.size
  flag[k] = k
  for (let p = columnStart[k] ?? 0; p < (columnStart[k + 1] ?? 0); p++) {
    let i = columnRow[p] ?? 0
    row[i] = (row[i] ?? 0) + (offDiagonal[columnSlot[p] ?? 0] ?? 0)
    let length = 0
    for (; flag[i] !== k; i = parent[i] ?? 0) {
      path[length++] = i
      flag[i] = k
    }
    while (length > 0) path[--top] = path[--length] ?? 0
  }
  return top
}

/** A = L·D·Lᵀ from the values of `diagonal` and `offDiagonal`; false if A is not positive definite. */
export function factorise(ldl: SparseLdl): boolean {
  const { size, order, diagonal, pivot, filled, flag, path, row, factorStart, factorRow, factor } = ldl
  flag.fill(-1)
  filled.fill(0)
  row.fill(0)
  for (let k = 0; k < size; k++) {
    let own = diagonal[order[k] ?? 0] ?? 0
    for (let top = reachRow(ldl, k); top < size; top++) {
      const i = path[top] ?? 0
      const value = row[i] ?? 0
      row[i] = 0
      const begin = factorStart[i] ?? 0
      const end = begin + (filled[i] ?? 0)
      for (let p = begin; p < end; p++) {
        const at = factorRow[p] ?? 0
        row[at] = (row[at] ?? 0) - (factor[p] ?? 0) * value
      }
      const entry = value / (pivot[i] ?? 1)
      own -= entry * value
      factorRow[end] = k
      factor[end] = entry
      filled[i] = (filled[i] ?? 0) + 1
    }
    if (!(own > 0)) return false
    pivot[k] = own
  }
  return true
}

/** Solves A·x = b with the last factors; `vector` is b by unknown and becomes x. */
export function solveFactorised(ldl: SparseLdl, vector: Float64Array): void {
  const { size, order, row, factorStart, factorRow, factor, pivot } = ldl
  for (let k = 0; k < size; k++) row[k] = vector[order[k] ?? 0] ?? 0
  for (let k = 0; k < size; k++) {
    const value = row[k] ?? 0
    const end = factorStart[k + 1] ?? 0
    for (let p = factorStart[k] ?? 0; p < end; p++) {
      const at = factorRow[p] ?? 0
      row[at] = (row[at] ?? 0) - (factor[p] ?? 0) * value
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    let value = (row[k] ?? 0) / (pivot[k] ?? 1)
    const end = factorStart[k + 1] ?? 0
    for (let p = factorStart[k] ?? 0; p < end; p++) value -= (factor[p] ?? 0) * (row[factorRow[p] ?? 0] ?? 0)
    row[k] = value
    vector[order[k] ?? 0] = value
  }
}
