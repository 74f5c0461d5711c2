import { createIdColumn } from '../../../platform/columns/id-column.ts'
import { containsNumber, insertNumbers, MAX_BOOTS, type Runs } from '../messages/number-runs.ts'

/** A row of the table: one boot of a gateway. 0 is no row. */
export type BootRow = number

/**
 * The runs of message numbers by gateway and boot. Nearly all boots have one run, which takes 16 bytes in columns instead of
 * several hundred as objects; only the runs of boots with gaps are objects.
 */
export interface BootTable {
  find(gatewayId: number, boot: number): BootRow | undefined
  /** The boot with the highest number. */
  findNewest(gatewayId: number): BootRow | undefined
  /** The boots of a gateway, in the order in which they were first seen. */
  list(gatewayId: number): readonly BootRow[]
  /** All gateways that have boots, ascending. */
  gateways(): Generator<number>
  bootOf(row: BootRow): number
  /** The runs of a row, as they are now. */
  runsOf(row: BootRow): Readonly<Runs>
  has(row: BootRow, seq: number): boolean
  /**
   * Adds numbers, both ends included. Of more than MAX_BOOTS boots the one that was first seen is forgotten, but never the one with the
   * highest number.
   */
  insert(gatewayId: number, boot: number, from: number, to: number): void
}

export function createBootTable(): BootTable {
  const createColumn = () => createIdColumn(0, Uint32Array)
  /** First row by gateway; the others are linked by `nexts`. */
  const heads = createColumn()
  const nexts = createColumn()
  const boots = createColumn()
  const starts = createColumn()
  const ends = createColumn()
  /** Runs of the rows that have several. `starts` and `ends` of such a row are not used. */
  const several = new Map<BootRow, Runs>()
  let lastGateway = 0
  let lastRow: BootRow = 0
  /** First row of forgotten boots, linked by `nexts`. */
  let freed: BootRow = 0

  function find(gatewayId: number, boot: number): BootRow | undefined {
    let row = heads.get(gatewayId)
    while (row !== 0 && boots.get(row) !== boot) row = nexts.get(row)
    return row === 0 ? undefined : row
  }

  function list(gatewayId: number): BootRow[] {
    const rows: BootRow[] = []
    for (let row = heads.get(gatewayId); row !== 0; row = nexts.get(row)) rows.push(row)
    return rows
  }

  const newestOf = (rows: readonly BootRow[]): BootRow | undefined => {
    let newest: BootRow | undefined
    for (const row of rows) if (newest === undefined || boots.get(row) > boots.get(newest)) newest = row
    return newest
  }

  /** Links the row `before` to `next`; without one, `next` becomes the first row of the gateway. */
  function link(gatewayId: number, before: BootRow | undefined, next: BootRow): void {
    if (before === undefined) heads.put(gatewayId, next)
    else nexts.put(before, next)
  }

  function forgetOldest(gatewayId: number): void {
    const rows = list(gatewayId)
    const newest = newestOf(rows)
    const index = rows.findIndex((row) => row !== newest)
    const row = rows[index]
    if (row === undefined) return
    link(gatewayId, rows[index - 1], nexts.get(row))
    several.delete(row)
    nexts.put(row, freed)
    freed = row
  }

  function takeRow(): BootRow {
    if (freed === 0) {
      lastRow += 1
      return lastRow
    }
    const row = freed
    freed = nexts.get(row)
    return row
  }

  function addRow(gatewayId: number, boot: number, from: number, to: number): void {
    const rows = list(gatewayId)
    const row = takeRow()
    boots.put(row, boot)
    starts.put(row, from)
    ends.put(row, to)
    nexts.put(row, 0)
    link(gatewayId, rows.at(-1), row)
    lastGateway = Math.max(lastGateway, gatewayId)
    if (rows.length >= MAX_BOOTS) forgetOldest(gatewayId)
  }

  const runsOf = (row: BootRow): Runs =>
    several.get(row) ?? { starts: [starts.get(row)], ends: [ends.get(row)] }

  return {
    find,
    findNewest: (gatewayId) => newestOf(list(gatewayId)),
    list,
    *gateways() {
      for (let gatewayId = 0; gatewayId <= lastGateway; gatewayId += 1)
        if (heads.get(gatewayId) !== 0) yield gatewayId
    },
    bootOf: boots.get,
    runsOf,
    has(row, seq) {
      const runs = several.get(row)
      return runs ? containsNumber(runs, seq) : seq >= starts.get(row) && seq <= ends.get(row)
    },
    insert(gatewayId, boot, from, to) {
      const row = find(gatewayId, boot)
      if (row === undefined) return addRow(gatewayId, boot, from, to)
      const runs = runsOf(row)
      insertNumbers(runs, from, to)
      const [start, end] = [runs.starts[0], runs.ends[0]]
      if (runs.starts.length > 1 || start === undefined || end === undefined) {
        several.set(row, runs)
        return
      }
      several.delete(row)
      starts.put(row, start)
      ends.put(row, end)
    },
  }
}
