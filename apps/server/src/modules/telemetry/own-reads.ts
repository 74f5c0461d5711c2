import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Cell } from '../../platform/cell/cell.ts'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import { type IdRanges, toIdRanges } from './messages/id-ranges.ts'
import type { LatestUpdate } from './messages/latest-update.ts'
import type { MessageKind, StoredRun } from './messages/message-key.ts'
import { readStoredFrames } from './raw/raw-store.ch.ts'
import { readNumbers } from './snapshots/message-numbers.ch.ts'
import { insertMark, readMark, readNewestValues } from './snapshots/newest-values.ch.ts'
import { readLatest } from './store/readings.ch.ts'
import { readStored } from './store/stored-runs.ch.ts'

/**
 * Age up to which messages are read at a start without a snapshot, to recognise repeated ones (docs/specs/watermark.md).
 * Earlier ones are known up to the stored watermarks.
 */
export const DEDUPE_WINDOW_MS = 48 * HOUR_MS

type TakeRun = (run: StoredRun) => void
type TakeUpdate = (update: LatestUpdate) => void

/**
 * What a server reads from the stores for its memory: at a start, and what other replicas stored. With a cell only of devices in the
 * directory, because the stores have those of other companies too. Instants are Unix ms.
 */
export interface OwnReads {
  /**
   * See snapshots/newest-values.ch.ts. With a cell undefined if it is older than DEDUPE_WINDOW_MS: the mark of all
   * companies stays for ever, and everything since then would be read.
   */
  readMark(): Promise<number | undefined>
  insertMark(at: number): Promise<void>
  readNewestValues(since: number, take: TakeUpdate): Promise<void>
  /** See snapshots/message-numbers.ch.ts. */
  readNumbers(of: MessageKind, take: TakeRun): Promise<void>
  /** See store/stored-runs.ch.ts. */
  readStored(since: number, take: TakeRun): Promise<void>
  /** See raw/raw-store.ch.ts. */
  readStoredFrames(since: number, take: TakeRun): Promise<void>
  /** See store/readings.ch.ts. */
  readLatest(
    range: { readonly since: number; readonly receivedSince?: number | undefined },
    take: TakeUpdate,
  ): Promise<void>
}

export interface OwnReadsNeeds {
  readonly clickhouse: ClickHouseClient
  readonly directory: Pick<DeviceDirectory, 'entries' | 'findById'>
  readonly cell: Cell | undefined
  readonly clock: Pick<Clock, 'now'>
}

export function createOwnReads({ clickhouse, directory, cell, clock }: OwnReadsNeeds): OwnReads {
  const listIds = (): IdRanges => cell && toIdRanges(directory.entries())

  /** Ranges of ids may contain a few of others. */
  function takeOwn<Item>(toId: (item: Item) => number, take: (item: Item) => void): (item: Item) => void {
    if (cell === undefined) return take
    return (item) => {
      if (directory.findById(toId(item))) take(item)
    }
  }
  const ownRuns = (take: TakeRun) => takeOwn<StoredRun>(({ gatewayId }) => gatewayId, take)
  const ownUpdates = (take: TakeUpdate) => takeOwn<LatestUpdate>(({ deviceId }) => deviceId, take)

  return {
    async readMark() {
      const mark = await readMark(clickhouse, cell?.name)
      const isOld = mark !== undefined && mark < clock.now() - DEDUPE_WINDOW_MS
      return cell && isOld ? undefined : mark
    },
    insertMark: (at) => insertMark(clickhouse, at, cell?.name),
    readNewestValues: (since, take) => readNewestValues(clickhouse, since, ownUpdates(take), listIds()),
    readNumbers: (of, take) => readNumbers(clickhouse, of, ownRuns(take), listIds()),
    readStored: (since, take) => readStored(clickhouse, since, ownRuns(take), { nodes: listIds() }),
    readStoredFrames: (since, take) => readStoredFrames(clickhouse, since, ownRuns(take), listIds()),
    readLatest: (range, take) => readLatest(clickhouse, { ...range, devices: listIds() }, ownUpdates(take)),
  }
}
