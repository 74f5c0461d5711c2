import type { Permission } from '@isotherm/contract/access/permissions'
import type { InputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/devices/transfer'
import type { Language } from '@isotherm/contract/locales/error-text'
import {
  type Transfer,
  type TransferCause,
  type TransferRow,
  transferSheet,
} from '@isotherm/contract/transfer'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call } from '../../platform/http/call.ts'
import type { FileAnswer } from '../../platform/http/handlers.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { SHEET_ROWS, toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import { createReaderSlots } from '../../platform/tasks/reader-slots.ts'
import type { NetworkService } from '../network/index.ts'
import { exportPart, findOverlongSheet } from './export/export.pg.ts'
import { toFailedSheet, toTemplateSheets } from './export/workbooks.ts'
import { toFailedReadings } from './readings/failed-readings.ts'
import { listReadingCauses } from './readings/reading-progress.pg.ts'
import { findCompanyOf } from './runs/companies.pg.ts'
import { openStoredFile, storeFile } from './runs/file-store.pg.ts'
import type { StoredRow } from './runs/stored-transfer.ts'
import { createTransferChanges, toTransfer } from './runs/transfer-changes.ts'
import * as transfers from './runs/transfers.pg.ts'
import { texts, toFaultText } from './sheets/texts.ts'

/** Imports and exports. Only the account that uploaded an import may use it; `references.pg.ts` has checked that. */
export interface TransferService {
  /**
   * One upload at a time per account. Throws transfer.uploading, transfer.unreadable if the file is not a workbook,
   * request.too-large.
   */
  upload(call: Call, fileName: string, bytes: AsyncIterable<Buffer>): Promise<Transfer>
  /** Throws transfer.not-now, transfer.which-company, entity.stale. */
  start(call: Call, input: InputOf<typeof api.excelAdd>): Promise<Transfer>
  /** Throws transfer.not-now, entity.stale. */
  cancel(call: Call, input: InputOf<typeof api.cancelTransfer>): Promise<Transfer>
  list(
    call: Call,
    input: InputOf<typeof api.getTransfers>,
  ): Promise<{ readonly datalist: Transfer[]; readonly total: number }>
  listRows(
    call: Call,
    input: InputOf<typeof api.getTransferRows>,
  ): Promise<{ readonly datalist: TransferRow[]; readonly total: number }>
  listCauses(call: Call, transferId: number): Promise<TransferCause[]>
  downloadFailed(call: Call, transferId: number): Promise<FileAnswer>
  getTemplate(language: Language): FileAnswer
  /**
   * One export at a time per account. Throws transfer.which-company, node.not-found, transfer.too-many-rows,
   * request.too-many.
   */
  exportCompany(call: Call, input: InputOf<typeof api.exportCompany>): Promise<FileAnswer>
}

export interface TransferNeeds {
  readonly db: Database
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly clock: Clock
  /** Limit of rows of a sheet without its headings; by default that of the file format. Tests pass a smaller one. */
  readonly maxRows?: number
}

/** Limit of concurrent exports. Each uses a database connection until its download ends. */
const MAX_EXPORTS = 3
/** An account with one of these sees irrigation. */
const irrigationAccess: readonly Permission[] = ['pe-irrreal', 'pe-irrigation', 'pe-irrgrpsx']
/** The first bytes of every zip archive. */
const ARCHIVE_START = 'PK'

const toRow = (
  language: Language,
  { sheet, row, verdict, subject, reason, reasonParams }: StoredRow,
): TransferRow => ({
  sheet,
  row,
  verdict,
  subject,
  ...(reason === null ? {} : { reason: toFaultText(language, reason, reasonParams) }),
})

const toFileName = (language: Language, name: keyof typeof texts.zh.words, at: number): string =>
  `${texts[language].words[name]}-${new Date(at).toISOString().slice(0, 10)}.xlsx`

export function createTransferService({
  db,
  network,
  clock,
  maxRows = SHEET_ROWS,
}: TransferNeeds): TransferService {
  const slots = createReaderSlots(MAX_EXPORTS)

  const { read, chooseCompany, change } = createTransferChanges(db)

  return {
    async upload({ caller, language, operation }, fileName, bytes) {
      await transfers.sweepTransfers(db, clock.now())
      await transfers.makeRoom(db, caller.accountId, 'registry')
      const id = await transfers.addTransfer(db, caller.accountId, fileName, clock.now())
      try {
        const size = await storeFile(db, id, bytes)
        const start = await openStoredFile(db, id, size).read(0, ARCHIVE_START.length)
        if (start.toString('latin1') !== ARCHIVE_START) {
          throw new AppError('transfer.unreadable', { detail: 'xlsx' })
        }
        await operate(db, operation, (transaction) => transfers.endUpload(transaction, id, size))
      } catch (error) {
        await transfers.removeTransfer(db, id)
        throw error
      }
      return read(language, id)
    },

    async start(call, { dryRun, companyId: given, ...named }) {
      const companyId = await chooseCompany(call.caller, given)
      return change(call, named, dryRun ? 'check' : 'import', async (transaction, { kind }) => {
        if (kind !== 'registry') throw new AppError('transfer.not-found')
        await transfers.startRun(transaction, named.transferId, { companyId, dryRun })
      })
    },

    cancel: (call, named) =>
      change(call, named, 'cancel', (transaction) => transfers.cancel(transaction, named.transferId)),

    async list({ caller, language }, { transferId: id, kind, limiter }) {
      const { rows, total } = await transfers.listTransfers(db, caller.accountId, { id, kind }, limiter)
      return { datalist: rows.map((row) => toTransfer(language, row)), total }
    },

    async listRows({ language }, { transferId, verdict, limiter }) {
      const { rows, total } = await transfers.listRows(db, transferId, verdict, limiter)
      return { datalist: rows.map((row) => toRow(language, row)), total }
    },

    async listCauses({ language }, id) {
      const { kind } = await transfers.getTransfer(db, id)
      const causes = await (kind === 'readings' ? listReadingCauses(db, id) : transfers.listCauses(db, id))
      return causes.map(({ reason, params, ...cause }) => ({
        ...cause,
        reason: toFaultText(language, reason, params),
      }))
    },

    async downloadFailed({ language, operation }, id) {
      const fileName = toFileName(language, 'failedRows', operation.at)
      const transfer = await transfers.getTransfer(db, id)
      if (transfer.kind === 'readings')
        return { fileName, bytes: toWorkbook([await toFailedReadings(db, transfer, language)]) }
      const sheets = transferSheet.options.map((sheet) =>
        toFailedSheet(language, sheet, transfers.readFailedRows(db, id, sheet)),
      )
      return { fileName, bytes: toWorkbook(sheets) }
    },

    getTemplate: (language) => ({
      fileName: `${texts[language].words.template}.xlsx`,
      bytes: toWorkbook(toTemplateSheets(language)),
    }),

    async exportCompany({ caller, language, operation }, { node, companyId }) {
      slots.requireFree(caller.accountId)
      const paths = await network.resolveNodes(caller.scope, node === undefined ? [] : [node])
      const ofNode = node === undefined ? undefined : await findCompanyOf(db, paths)
      const company = ofNode ?? (await chooseCompany(caller, companyId))
      const hasIrrigation = irrigationAccess.some((permission) => caller.permissions.has(permission))
      const part = { companyId: company, scope: caller.scope, paths, hasIrrigation }
      const rows = await findOverlongSheet(db, part, maxRows)
      if (rows !== undefined) throw new AppError('transfer.too-many-rows', { rows, limit: maxRows })
      const fileName = toFileName(language, 'export', operation.at)
      const bytes = slots.readInSlot(caller.accountId, () => exportPart(db, part, language))
      return { fileName, bytes }
    },
  }
}
