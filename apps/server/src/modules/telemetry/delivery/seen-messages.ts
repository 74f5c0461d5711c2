import type { AckMessage } from '@isotherm/contract/mqtt'
import type { StoredRun } from '../messages/message-key.ts'
import { findRun, type Runs } from '../messages/number-runs.ts'
import { type BootRow, createBootTable } from './boot-table.ts'

/**
 * Numbers of the durable messages of each gateway. A gateway counts without gaps, so the numbers are stored as runs, mostly
 * one for each of its boots. The store merges equal rows, so a message that is forgotten here is still stored
 * once.
 */
export interface SeenMessages {
  has(gatewayId: number, boot: number, seq: number): boolean
  add(gatewayId: number, boot: number, seq: number): void
  /** Adds numbers of a boot, both ends included. */
  addRun(gatewayId: number, boot: number, from: number, to: number): void
  /**
   * A boot of a gateway (default: the newest) and the number up to which all its messages from 0 on are durable. Undefined
   * while the first ones are missing, because a gateway deletes what the watermark covers.
   */
  findWatermark(gatewayId: number, boot?: number): AckMessage | undefined
  /** The last number of the run that contains a number; undefined if the number is missing. */
  findEnd(gatewayId: number, boot: number, seq: number): number | undefined
  /** The runs of all boots of all gateways, each gateway's together; the caller may wait between two gateways. */
  listRuns(): Iterable<StoredRun>
  /** Number of runs that are missing between or before the durable ones. */
  countGaps(gatewayId: number): number
  /** The missing runs, oldest first. Nothing is missing before the first known boot of a gateway. */
  listGaps(gatewayId: number): readonly Gap[]
}

/** Missing numbers of a boot, both ends included. */
export interface Gap {
  readonly boot: number
  readonly from: number
  readonly to: number
}

/** Missing runs of a boot, of the numbers before its first one only if `startsAt0`. */
function listGapsOf(boot: number, { starts, ends }: Readonly<Runs>, startsAt0: boolean): Gap[] {
  const [first = 0] = starts
  const gaps: Gap[] = startsAt0 && first > 0 ? [{ boot, from: 0, to: first - 1 }] : []
  for (let run = 1; run < starts.length; run += 1)
    gaps.push({ boot, from: (ends[run - 1] ?? 0) + 1, to: (starts[run] ?? 0) - 1 })
  return gaps
}

export function createSeenMessages(): SeenMessages {
  const table = createBootTable()

  /** Whether the first numbers of a boot are missing. Only known if an earlier boot of the gateway is known. */
  const startsLate = (row: BootRow, index: number): boolean =>
    index > 0 && (table.runsOf(row).starts[0] ?? 0) > 0

  function listRunsOf(gatewayId: number): StoredRun[] {
    return table.list(gatewayId).flatMap((row) => {
      const { starts, ends } = table.runsOf(row)
      const boot = table.bootOf(row)
      return starts.map((from, index) => ({ gatewayId, boot, from, to: ends[index] ?? from }))
    })
  }

  return {
    has(gatewayId, boot, seq) {
      const row = table.find(gatewayId, boot)
      return row !== undefined && table.has(row, seq)
    },
    add: (gatewayId, boot, seq) => table.insert(gatewayId, boot, seq, seq),
    addRun: table.insert,
    findEnd(gatewayId, boot, seq) {
      const row = table.find(gatewayId, boot)
      if (row === undefined) return undefined
      const runs = table.runsOf(row)
      const end = runs.ends[findRun(runs, seq)]
      return end === undefined || end < seq ? undefined : end
    },
    *listRuns() {
      // All of a gateway at once: a row that is forgotten while the caller waits can become that of another gateway.
      for (const gatewayId of table.gateways()) yield* listRunsOf(gatewayId)
    },
    countGaps: (gatewayId) =>
      table
        .list(gatewayId)
        .reduce(
          (count, row, index) => count + table.runsOf(row).starts.length - 1 + Number(startsLate(row, index)),
          0,
        ),
    listGaps: (gatewayId) =>
      table
        .list(gatewayId)
        .flatMap((row, index) => listGapsOf(table.bootOf(row), table.runsOf(row), index > 0)),
    findWatermark(gatewayId, ofBoot) {
      const row = ofBoot === undefined ? table.findNewest(gatewayId) : table.find(gatewayId, ofBoot)
      if (row === undefined) return undefined
      const { starts, ends } = table.runsOf(row)
      const [seq] = starts[0] === 0 ? ends : []
      return seq === undefined ? undefined : { boot: table.bootOf(row), seq }
    },
  }
}
