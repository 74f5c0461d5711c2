import { type AlarmKind, alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import type { Originator, Watch } from './watches.ts'

/** The watches of one alarm kind. */
export interface WatchTable {
  count(): number
  /** The watch of an originator by its number, see `toNumber`. */
  find(number: number): Watch | undefined
  put(watch: Watch): void
  remove(number: number): void
  /**
   * The watches in the order in which they came; only those in some phases, or due at an instant (Unix ms), if one is given.
   * While they are listed, watches may be replaced and removed, but none may be added.
   */
  list(only?: { readonly on: true } | { readonly dueAt: number }): Iterable<Watch>
}

/** A device has its id, a node its negative id, so that both are in one table. 0 is nobody's. */
export const toNumber = ({ deviceId, nodeId }: Originator): number => deviceId ?? -nodeId

const toOriginator = (number: number): Originator => (number > 0 ? { deviceId: number } : { nodeId: -number })

/** A phase is stored as an index of this list. Those from `raised` on have an alarm. */
const storedPhases = ['raising', 'raised', 'clearing'] as const
const FIRST_ON = storedPhases.indexOf('raised')
const kindIndices = new Map(alarmKindNames.map((kind, index) => [kind, index]))

const INITIAL_LENGTH = 64
/** A table that is full becomes this many times as long. */
const GROWTH = 1.25
/** Rows of a table, at least this share of them used; else it becomes shorter. */
const MIN_USED = 0.25

const createColumns = (length: number) => ({
  /** Numbers of originators; 0 in a row whose watch was removed. */
  numbers: new Int32Array(length),
  phases: new Uint8Array(length),
  since: new Float64Array(length),
  judgedAt: new Float64Array(length),
  /** NaN without one. */
  dueAt: new Float64Array(length),
  /** The alarm that suppresses this one: the number of its originator, 0 without one, and the index of its kind. */
  causes: new Int32Array(length),
  causeKinds: new Uint8Array(length),
  /** The next row with the same hash, plus 1; 0 at the end. */
  nexts: new Uint32Array(length),
})

/** Power of two that is not smaller than half of `length`. */
const createHeads = (length: number): Uint32Array =>
  new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, length / 2))))

/**
 * Watches in typed arrays with a hash table over them, 40 bytes each: all devices of a company may be silent at once, and an
 * object for each takes six times as much of the collected heap. Rows are in the order in which watches came.
 */
export function createWatchTable(kind: AlarmKind): WatchTable {
  let columns = createColumns(INITIAL_LENGTH)
  /** First row of each hash, plus 1. */
  let heads = createHeads(INITIAL_LENGTH)
  let used = 0
  let live = 0

  // Multiplied by 2³² divided by the golden ratio: ids in sequence are spread over all heads.
  const toHash = (number: number): number => (Math.imul(number, 0x9e37_79b1) >>> 7) & (heads.length - 1)

  function findRow(number: number): number {
    let row = (heads[toHash(number)] ?? 0) - 1
    while (row >= 0 && columns.numbers[row] !== number) row = (columns.nexts[row] ?? 0) - 1
    return row
  }

  function chain(row: number, number: number): void {
    const hash = toHash(number)
    columns.nexts[row] = heads[hash] ?? 0
    heads[hash] = row + 1
  }

  /** Copies the watches to new columns without the rows of removed ones. */
  function rebuild(length: number): void {
    const before = columns
    const count = used
    columns = createColumns(length)
    heads = createHeads(length)
    used = 0
    for (let row = 0; row < count; row += 1) {
      const number = before.numbers[row] ?? 0
      if (number === 0) continue
      for (const name of ['phases', 'since', 'judgedAt', 'dueAt', 'causes', 'causeKinds'] as const)
        columns[name][used] = before[name][row] ?? 0
      columns.numbers[used] = number
      chain(used, number)
      used += 1
    }
  }

  function add(number: number): number {
    const isFull = used === columns.numbers.length
    const isSparse = used > INITIAL_LENGTH && live < MIN_USED * used
    if (isFull || isSparse) rebuild(Math.max(INITIAL_LENGTH, Math.ceil((live + 1) * GROWTH)))
    const row = used
    used += 1
    live += 1
    columns.numbers[row] = number
    chain(row, number)
    return row
  }

  function read(row: number): Watch {
    const dueAt = columns.dueAt[row] ?? Number.NaN
    const cause = columns.causes[row] ?? 0
    const causeKind = alarmKindNames[columns.causeKinds[row] ?? 0]
    return {
      kind,
      originator: toOriginator(columns.numbers[row] ?? 0),
      phase: storedPhases[columns.phases[row] ?? 0] ?? 'raising',
      since: columns.since[row] ?? 0,
      judgedAt: columns.judgedAt[row] ?? 0,
      dueAt: Number.isNaN(dueAt) ? undefined : dueAt,
      suppressedBy:
        cause !== 0 && causeKind ? { kind: causeKind, originator: toOriginator(cause) } : undefined,
    }
  }

  return {
    count: () => live,
    find(number) {
      const row = findRow(number)
      return row < 0 ? undefined : read(row)
    },
    put({ originator, phase, since, judgedAt, dueAt, suppressedBy }) {
      const number = toNumber(originator)
      const known = findRow(number)
      const row = known < 0 ? add(number) : known
      columns.phases[row] = storedPhases.indexOf(phase)
      columns.since[row] = since
      columns.judgedAt[row] = judgedAt
      columns.dueAt[row] = dueAt ?? Number.NaN
      columns.causes[row] = suppressedBy ? toNumber(suppressedBy.originator) : 0
      columns.causeKinds[row] = (suppressedBy && kindIndices.get(suppressedBy.kind)) ?? 0
    },
    remove(number) {
      const hash = toHash(number)
      let before = -1
      let row = (heads[hash] ?? 0) - 1
      while (row >= 0 && columns.numbers[row] !== number) {
        before = row
        row = (columns.nexts[row] ?? 0) - 1
      }
      if (row < 0) return
      if (before < 0) heads[hash] = columns.nexts[row] ?? 0
      else columns.nexts[before] = columns.nexts[row] ?? 0
      columns.numbers[row] = 0
      live -= 1
      if (live === 0 && used > INITIAL_LENGTH) rebuild(INITIAL_LENGTH)
    },
    *list(only) {
      const isOnOnly = only !== undefined && 'on' in only
      const due = only !== undefined && 'dueAt' in only ? only.dueAt : undefined
      for (let row = 0; row < used; row += 1) {
        if (columns.numbers[row] === 0) continue
        if (isOnOnly && (columns.phases[row] ?? 0) < FIRST_ON) continue
        if (due !== undefined && !((columns.dueAt[row] ?? Number.NaN) <= due)) continue
        yield read(row)
      }
    },
  }
}
