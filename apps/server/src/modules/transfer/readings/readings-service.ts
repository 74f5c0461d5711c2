import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/devices/reading-files'
import { MAX_READINGS_BYTES } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { Transfer } from '@isotherm/contract/transfer'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { UnreadableFileError } from '../../../platform/spreadsheet/zip-reader.ts'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { openStoredFile, PART_BYTES, storeFile } from '../runs/file-store.pg.ts'
import { createTransferChanges } from '../runs/transfer-changes.ts'
import * as transfers from '../runs/transfers.pg.ts'
import { guessMapping } from './guess-mapping.ts'
import { readFirstRows } from './read-first-rows.ts'
import { openTable } from './read-table.ts'

/** Rows of a preview. */
const PREVIEW_ROWS = 20
/** Most of a text file that a preview reads: a file may be one endless line. */
const PREVIEW_BYTES = 8 * 1024 * 1024
/** Concurrent previews. One may hold the texts of a whole workbook, and it runs on after its caller has left. */
const PREVIEWS = { running: 2, waiting: 10 } as const

export interface ReadingsServiceNeeds {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
}

/** Throws request.malformed for an unknown zone. */
function checkZone(zone: string): void {
  try {
    createTimeZone(zone)
  } catch (cause) {
    const detail = 'mapping.timeZone: is not one of the allowed values'
    throw new AppError('request.malformed', { detail }, { cause })
  }
}

/** Uploads, previews and starts imports of readings. `references.pg.ts` has checked that they are the caller's. */
export function createReadingsService({ db, clock }: ReadingsServiceNeeds) {
  const { read, chooseCompany, change } = createTransferChanges(db)
  const previews = createCallerGate(PREVIEWS)

  /** The upload of a part, and its place. Throws transfer.not-found, transfer.unreadable, request.too-large. */
  async function openUpload(call: Call, input: InputOf<typeof api.uploadReadings>) {
    const [size, from] = [Number(input.size), Number(input.from)]
    if (size > MAX_READINGS_BYTES)
      throw new AppError('request.too-large', { limitKb: MAX_READINGS_BYTES / 1024 })
    const { accountId } = call.caller
    const now = clock.now()
    if (input.upload === undefined) {
      await transfers.sweepTransfers(db, now)
      await transfers.makeRoom(db, accountId, 'readings')
      const id = await transfers.addReadingsUpload(db, { accountId, fileName: input.fileName, now })
      return { id, from: 0, size }
    }
    const id = Number(input.upload)
    const found = await transfers.findReadingsUpload(db, accountId, id)
    if (!found) throw new AppError('transfer.not-found')
    if (from > found.sizeBytes || from % PART_BYTES !== 0)
      throw new AppError('transfer.unreadable', { detail: 'from' })
    return { id, from, size }
  }

  return {
    async upload(
      call: Call,
      input: InputOf<typeof api.uploadReadings>,
      bytes: AsyncIterable<Buffer>,
    ): Promise<Transfer> {
      const { id, from, size } = await openUpload(call, input)
      const stored = from + (await storeFile(db, id, bytes, from))
      if (stored > size) throw new AppError('transfer.unreadable', { detail: 'size' })
      const isLast = stored === size
      const save = (transaction: Database) =>
        isLast
          ? transfers.endUpload(transaction, id, size)
          : transfers.continueUpload(transaction, id, stored, clock.now())
      // The operation log only records the first and the last part of a file: a large file has a thousand parts.
      if (isLast || input.upload === undefined) await operate(db, call.operation, save)
      else {
        call.operation.isRecorded = true
        await save(db)
      }
      return read(call.language, id)
    },

    async preview(
      { caller }: Call,
      { transferId, format, sheet, headingRow }: InputOf<typeof api.previewReadings>,
    ): Promise<OutputOf<typeof api.previewReadings>> {
      const { sizeBytes, kind } = await transfers.getTransfer(db, transferId)
      if (kind !== 'readings') throw new AppError('transfer.not-found')
      const file = openStoredFile(db, transferId, sizeBytes)
      const readTable = async () => {
        const table = await openTable(file, { format, sheet, maxBytes: PREVIEW_BYTES })
        return { table, ...(await readFirstRows(table.rows(), headingRow)) }
      }
      try {
        const { table, headings, rows } = await previews(readTable)
        return {
          sheets: [...table.sheets],
          format: table.format,
          headings,
          rows: rows.slice(0, PREVIEW_ROWS),
          guess: {
            ...guessMapping(headings, rows),
            timeZone: await transfers.findTimeZone(db, caller.companyId),
          },
        }
      } catch (error) {
        if (!(error instanceof UnreadableFileError)) throw error
        throw new AppError('transfer.unreadable', { detail: error.message }, { cause: error })
      }
    },

    async start(
      call: Call,
      { dryRun, companyId: given, mapping, ...named }: InputOf<typeof api.importReadings>,
    ): Promise<Transfer> {
      checkZone(mapping.timeZone)
      const companyId = await chooseCompany(call.caller, given)
      return change(call, named, dryRun ? 'check' : 'import', async (transaction, { kind }) => {
        if (kind !== 'readings') throw new AppError('transfer.not-found')
        await transfers.startRun(transaction, named.transferId, { companyId, dryRun, mapping })
      })
    },
  }
}

export type ReadingsService = ReturnType<typeof createReadingsService>
