/** One row of numbers for each device, with cells only for the columns that the device needs. */
export interface NumberRows {
  /** Columns of a row, one bit each; 0 if the device has no row. */
  columnsOf(deviceId: number): number
  /** The memory in which the row of a device is. Holds until `reshape`, as do indices in it. */
  pieceOf(deviceId: number): Float64Array
  /** Index of the first cell of a row in its piece. The cells follow in the order of their columns. */
  startOf(deviceId: number): number
  /** Index of the first cell of a column that the row has. */
  find(deviceId: number, column: number): number
  /**
   * Gives a row other columns; 0 removes it. Cells of columns that stay keep their numbers, new ones are NaN. Throws RangeError if
   * there are more than 16 columns.
   */
  reshape(deviceId: number, columns: number): void
}

/** Cells in one piece of memory. A piece is never copied, so growing costs nothing and wastes little. */
const PIECE_BITS = 14
const PIECE = 1 << PIECE_BITS
/** Devices for which there is room at first; more get a quarter more. */
const INITIAL_LENGTH = 1_024
const GROWTH = 1.25
const NO_CELLS = new Float64Array(0)

export function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/** Rows in typed arrays. A row moves when its columns change; the room that it leaves is used by the next row of its size. */
export function createNumberRows({ cellsPerColumn }: { readonly cellsPerColumn: number }): NumberRows {
  const pieces: Float64Array[] = []
  // By device id. Not columns of id-column.ts: their reads are slower, because they serve several types of array.
  /** Position of the first cell of a row. */
  let starts = new Uint32Array(INITIAL_LENGTH)
  let columnsById = new Uint16Array(INITIAL_LENGTH)
  /** Positions of left rooms by their number of columns. */
  const free: number[][] = []
  let used = 0

  const toPiece = (position: number): Float64Array => pieces[position >>> PIECE_BITS] ?? NO_CELLS
  const toIndex = (position: number): number => position & (PIECE - 1)

  function grow(deviceId: number): void {
    const length = Math.max(deviceId + 1, Math.ceil(starts.length * GROWTH))
    const [startsBefore, columnsBefore] = [starts, columnsById]
    starts = new Uint32Array(length)
    starts.set(startsBefore)
    columnsById = new Uint16Array(length)
    columnsById.set(columnsBefore)
  }

  /** Room for a row. The cells of a row are never in two pieces. */
  function reserve(columns: number): number {
    const reused = free[columns]?.pop()
    if (reused !== undefined) return reused
    const cells = columns * cellsPerColumn
    if (used === pieces.length * PIECE || (used % PIECE) + cells > PIECE) {
      used = pieces.length * PIECE
      pieces.push(new Float64Array(PIECE))
    }
    const start = used
    used += cells
    return start
  }

  function release(start: number, columns: number): void {
    const rooms = free[columns] ?? []
    free[columns] = rooms
    rooms.push(start)
  }

  const columnsOf = (deviceId: number): number => columnsById[deviceId] ?? 0
  const startOf = (deviceId: number): number => toIndex(starts[deviceId] ?? 0)

  /** Copies a row into its new room, column by column. */
  function copy(from: number, before: number, to: number, columns: number): void {
    const [source, target] = [toPiece(from), toPiece(to)]
    let [left, right] = [toIndex(from), toIndex(to)]
    for (let bit = 1; bit <= columns; bit <<= 1) {
      const wasThere = (before & bit) !== 0
      if ((columns & bit) !== 0) {
        for (let cell = 0; cell < cellsPerColumn; cell += 1)
          target[right + cell] = wasThere ? (source[left + cell] ?? Number.NaN) : Number.NaN
        right += cellsPerColumn
      }
      if (wasThere) left += cellsPerColumn
    }
  }

  return {
    columnsOf,
    pieceOf: (deviceId) => toPiece(starts[deviceId] ?? 0),
    startOf,
    find: (deviceId, column) =>
      startOf(deviceId) + cellsPerColumn * countBits(columnsOf(deviceId) & ((1 << column) - 1)),
    reshape(deviceId, columns) {
      // They would be cut off in columnsById, and their cells be those of the next row.
      if (columns >>> 16 !== 0) throw new RangeError('a row of numbers has at most 16 columns')
      const before = columnsOf(deviceId)
      const from = starts[deviceId] ?? 0
      if (columns !== 0) {
        const to = reserve(countBits(columns))
        copy(from, before, to, columns)
        if (deviceId >= starts.length) grow(deviceId)
        starts[deviceId] = to
      }
      if (before !== 0) release(from, countBits(before))
      columnsById[deviceId] = columns
    },
  }
}
