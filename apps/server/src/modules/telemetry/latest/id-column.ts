/**
 * One number of each device by its id. Ids are given in sequence, so that what is asked of all devices lies side by
 * side: going through a column costs a hundredth of looking every device up.
 */
export interface IdColumn {
  /** NaN where nothing was put. */
  get(id: number): number
  put(id: number, value: number): void
}

const LEAST = 1_024

export function createIdColumn(): IdColumn {
  let numbers = new Float64Array(LEAST).fill(Number.NaN)

  function grow(id: number): void {
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(id + 1))).fill(Number.NaN)
    larger.set(numbers)
    numbers = larger
  }

  return {
    get: (id) => numbers[id] ?? Number.NaN,
    put(id, value) {
      if (id >= numbers.length) grow(id)
      numbers[id] = value
    },
  }
}
