import { deviceKind } from '@isotherm/contract/devices'
import { HOUR_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isSameScope } from '../../../platform/scope/scope.ts'
import { type StoredFile, UnreadableFileError } from '../../../platform/spreadsheet/zip-reader.ts'
import { createTimeZone, type TimeZone } from '../../../platform/time-zone.ts'
import { toAppError } from '../../../platform/to-app-error.ts'
import { type DeviceDirectory, mayManage } from '../../devices/index.ts'
import { BacklogFullError, type FileReadings } from '../../telemetry/index.ts'
import type { AccountAccess, FindAccess } from '../import/run-import.ts'
import { type ClaimedRun, NoLongerAllowed } from '../import/runner.ts'
import { openStoredFile } from '../runs/file-store.pg.ts'
import { lockRun, proceed } from '../runs/lease.pg.ts'
import { FileFault } from '../sheets/read-rows.ts'
import { createFindDevices } from './find-devices.pg.ts'
import { type JudgeNeeds, judgeBatch } from './judge-batch.ts'
import { createReadRow, type RowOutcome } from './read-readings.ts'
import { countCharacters, MAX_HELD_CHARACTERS, openTable } from './read-table.ts'
import { removeFile, saveBatch, saveTotal } from './reading-progress.pg.ts'

export interface RunReadingsNeeds {
  readonly db: Database
  readonly clock: Pick<Clock, 'setTimeout'>
  readonly findAccess: FindAccess
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly files: FileReadings
}

/** Maximum number of rows of a batch. They are in memory at once, with their values. */
const ROWS_PER_BATCH = 2_000
const CACHED_HOURS = 20_000

/** A time zone that caches its offset for each hour: a file may have millions of times in some thousand hours. */
function withCachedHours(zone: TimeZone): TimeZone {
  const offsets = new LRUCache<number, number>({ max: CACHED_HOURS })
  return {
    ...zone,
    toInstant(localMs) {
      const hour = Math.floor(localMs / HOUR_MS)
      const known = offsets.get(hour) ?? zone.toInstant(hour * HOUR_MS) - hour * HOUR_MS
      offsets.set(hour, known)
      return localMs + known
    },
  }
}

/** Wraps a file and records up to which share of it was read; this estimates the number of its rows. */
function withPosition(file: StoredFile) {
  let end = 0
  return {
    file: {
      size: file.size,
      read(start: number, length: number) {
        end = Math.max(end, Math.min(file.size, start + length))
        return file.read(start, length)
      },
    },
    share: () => (file.size === 0 ? 1 : end / file.size),
  }
}

async function requireAccess(findAccess: FindAccess, { transfer }: ClaimedRun): Promise<AccountAccess> {
  const access = await findAccess(transfer.accountId)
  const isOwn = access && (access.companyId === undefined || access.companyId === transfer.companyId)
  if (!isOwn || !deviceKind.options.some((kind) => mayManage(access, kind))) throw new NoLongerAllowed()
  return access
}

const isEqualSet = (left: ReadonlySet<unknown>, right: ReadonlySet<unknown>): boolean =>
  left.size === right.size && [...left].every((item) => right.has(item))

const isSameAccess = (left: AccountAccess, right: AccountAccess): boolean =>
  isSameScope(left.scope, right.scope) && isEqualSet(left.permissions, right.permissions)

/**
 * Whether an error is temporary: the store of readings is behind, restarts or cannot be reached. Another attempt may
 * succeed.
 */
const isTemporary = (error: unknown): boolean =>
  error instanceof BacklogFullError || toAppError(error, '').code === 'server.unavailable'

/**
 * Checks or imports a file of readings, batch by batch. An interrupted run continues after its last saved batch. The
 * batches of a file are the same each time, so one that is stored twice has the same key and the same rows.
 */
export async function runReadings(needs: RunReadingsNeeds, claimed: ClaimedRun): Promise<void> {
  const { db, files } = needs
  const { transfer, worker } = claimed
  const { id, dryRun, mapping, companyId, resumeRow } = transfer
  if (mapping === null || companyId === null) throw new Error(`the import ${id} has no mapping`)
  // Every batch is checked right before it is stored: an import needs no check of the whole file first.
  if (transfer.state === 'checking' && !dryRun) await proceed(db, id, worker, 'cleared')
  const { file, share } = withPosition(openStoredFile(db, id, transfer.sizeBytes))
  const readRow = createReadRow(mapping, withCachedHours(createTimeZone(mapping.timeZone)))

  /** Repeats work on the store of readings while the store is behind or unavailable. Throws LostRun. */
  async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isTemporary(error)) throw error
      }
      await new Promise<void>((resolve) => {
        needs.clock.setTimeout(resolve, SECOND_MS)
      })
      await claimed.onBatch()
      await lockRun(db, id, worker)
    }
  }

  const judgeFor = (access: AccountAccess): JudgeNeeds => ({
    importId: id,
    isEstimated: mapping.isEstimated,
    findDevices: createFindDevices(db, { companyId, scope: access.scope, by: mapping.device.by }),
    findDevice: needs.directory.findById,
    managed: deviceKind.options.filter((kind) => mayManage(access, kind)),
    files: { ...files, findStored: (keys) => untilAvailable(() => files.findStored(keys)) },
  })
  let access = await requireAccess(needs.findAccess, claimed)
  let judge = judgeFor(access)

  let count = 0
  let batch = 0
  let characters = 0
  let rows: RowOutcome[] = []
  async function endBatch(): Promise<void> {
    const lastRow = rows.at(-1)?.row.number ?? 0
    batch += 1
    if (lastRow > resumeRow) {
      const now = await requireAccess(needs.findAccess, claimed)
      if (!isSameAccess(now, access)) [access, judge] = [now, judgeFor(now)]
      const { samples, ...result } = await judgeBatch(rows, judge)
      if (!dryRun && samples.length > 0)
        await untilAvailable(() => files.store({ importId: id, batch, samples }))
      const total = Math.max(count, Math.round(count / Math.max(share(), 0.001)))
      await saveBatch(db, id, worker, { ...result, lastRow, done: count, total })
    }
    rows = []
    characters = 0
    await claimed.onBatch()
  }

  try {
    const table = await openTable(
      file,
      mapping.sheet === undefined ? { format: mapping } : { format: mapping, sheet: mapping.sheet },
    )
    for await (const row of table.rows()) {
      if (row.number <= mapping.headingRow) continue
      count += 1
      rows.push(readRow(row))
      characters += countCharacters(row)
      if (rows.length === ROWS_PER_BATCH || characters >= MAX_HELD_CHARACTERS) await endBatch()
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    throw new FileFault('file.unreadable', { detail: error.message }, error)
  }
  if (rows.length > 0) await endBatch()
  await saveTotal(db, id, count)
  await proceed(db, id, worker, dryRun ? 'checked' : 'imported')
  if (!dryRun) await removeFile(db, id)
}
