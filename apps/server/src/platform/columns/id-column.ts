type Numbers = Float64Array | Uint32Array | Uint8Array

/**
 * One number per device, indexed by device id. Ids are assigned in sequence, so a column is a dense array: reading all
 * of it takes a hundredth of the time of one map lookup per device, and its memory is not in the collected heap.
 */
export interface IdColumn {
  /** `empty` if there is no number. */
  get(id: number): number
  put(id: number, value: number): void
}

/** Length of a new column. */
const INITIAL_LENGTH = 1_024
/** A column that is too short becomes this many times as long. */
const GROWTH = 1.25

/** `empty`: number of an id without one. `Kind`: what numbers fit into the column. */
export function createIdColumn(
  empty: number = Number.NaN,
  Kind: new (length: number) => Numbers = Float64Array,
): IdColumn {
  const create = (length: number): Numbers => {
    const created = new Kind(length)
    return empty === 0 ? created : created.fill(empty)
  }
  let numbers = create(INITIAL_LENGTH)

  function grow(id: number): void {
    const larger = create(Math.max(id + 1, Math.ceil(numbers.length * GROWTH)))
    larger.set(numbers)
    numbers = larger
  }

  return {
    get: (id) => numbers[id] ?? empty,
    put(id, value) {
      if (id >= numbers.length) grow(id)
      numbers[id] = value
    },
  }
}
