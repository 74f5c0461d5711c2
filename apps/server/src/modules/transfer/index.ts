import type { transferEndpoints } from '@isotherm/contract/endpoints/transfer'
import type { TransferProgress } from '@isotherm/contract/transfer'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import { createTransferHandlers } from './handlers.ts'
import { type FindAccess, workOn } from './import/run-import.ts'
import { createRunner } from './import/runner.ts'
import { progressNews } from './runs/progress.pg.ts'
import { createTransferService, type TransferNeeds } from './service.ts'

export { createTransferReferences } from './references.pg.ts'
export { transferMigrations } from './runs/migrations.pg.ts'

export interface TransferParts extends TransferNeeds {
  readonly signals: Signals
  readonly log: Log
  readonly findAccess: FindAccess
}

/** Import and export of a company in workbooks. */
export interface Transfers {
  readonly handlers: HandlersOf<keyof typeof transferEndpoints>
  /** Calls `heard` whenever an import got on, on whichever server, with the account it belongs to. */
  onProgress(heard: (accountId: number, progress: TransferProgress) => void): () => void
  /** Leaves the import at hand after its batch; another server, or the next start, goes on with it. */
  close(): Promise<void>
}

export function createTransfers(parts: TransferParts): Transfers {
  const { db, signals, findAccess } = parts
  const runner = createRunner({ ...parts, work: (held) => workOn(db, findAccess, held) })
  return {
    handlers: createTransferHandlers(createTransferService(parts)),
    onProgress: (heard) =>
      signals.listen('transfer_changed', (payload) => {
        if (payload === undefined) return
        const { accountId, ...progress } = progressNews.parse(JSON.parse(payload))
        heard(accountId, progress)
      }),
    close: () => runner.close(),
  }
}
