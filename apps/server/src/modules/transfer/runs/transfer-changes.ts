import type { Language } from '@isotherm/contract/locales/error-text'
import type { Transfer } from '@isotherm/contract/transfer'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toFaultText } from '../sheets/texts.ts'
import { listCompanies } from './companies.pg.ts'
import { toAbilities } from './policy.ts'
import { signalProgress } from './progress.pg.ts'
import { type TransferEvent, transitions } from './state-machine.ts'
import type { StoredTransfer } from './stored-transfer.ts'
import { getTransfer } from './transfers.pg.ts'

/** An import as its account sees it. */
export function toTransfer(language: Language, stored: StoredTransfer): Transfer {
  const {
    accountId: _,
    operationId: __,
    attempts: ___,
    mapping: ____,
    resumeRow: _____,
    companyId,
    fault,
    faultParams,
    createdAt,
    ...rest
  } = stored
  return {
    ...rest,
    ...(companyId === null ? {} : { companyId }),
    createdAt: createdAt.getTime(),
    ...(fault === null ? {} : { fault: toFaultText(language, fault, faultParams) }),
    abilities: toAbilities(stored.state),
  }
}

/** Reads and changes imports of any kind. */
export const createTransferChanges = (db: Database) => {
  const read = async (language: Language, id: number): Promise<Transfer> =>
    toTransfer(language, await getTransfer(db, id))
  return {
    read,

    /** Returns the company of the caller, the given one, or the only one in the scope. Throws transfer.which-company. */
    async chooseCompany(caller: Caller, companyId: number | undefined): Promise<number> {
      const known = caller.companyId ?? companyId
      if (known !== undefined) return known
      const [only, ...others] = await listCompanies(db, caller.scope)
      if (only === undefined || others.length > 0) throw new AppError('transfer.which-company')
      return only
    },

    /** Changes an import as one operation. Throws transfer.not-now if its state does not allow the event. */
    async change(
      { operation, language }: Call,
      { transferId, version }: { readonly transferId: number; readonly version: number },
      event: TransferEvent,
      work: (transaction: Database, stored: StoredTransfer) => Promise<void>,
    ): Promise<Transfer> {
      await operate(db, operation, async (transaction) => {
        const versioned = { table: 'transfer', entity: 'transfer', id: transferId, version } as const
        if (!(await lockVersion(transaction, versioned))) throw new AppError('transfer.not-found')
        const stored = await getTransfer(transaction, transferId)
        if (transitions[stored.state][event] === undefined)
          throw new AppError('transfer.not-now', { state: stored.state })
        await work(transaction, stored)
        await signalProgress(transaction, transferId)
      })
      return read(language, transferId)
    },
  }
}
