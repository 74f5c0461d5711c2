import type { transferEndpoints } from '@isotherm/contract/endpoints/devices/transfer'
import type { TransferProgress } from '@isotherm/contract/transfer'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { Log } from '../../platform/log.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { SessionService } from '../session/index.ts'
import { createTransferHandlers } from './handlers.ts'
import { type FindAccess, runImport } from './import/run-import.ts'
import { createRunner } from './import/runner.ts'
import { createTransferReferences } from './references.pg.ts'
import { transferMigrations } from './runs/migrations.pg.ts'
import { progressSignal } from './runs/progress.pg.ts'
import { createTransferService, type TransferNeeds } from './service.ts'

export interface TransferParts extends TransferNeeds {
  readonly signals: Signals
  readonly log: Log
  readonly findAccess: FindAccess
}

/** Import and export of a company in workbooks. */
export interface Transfers {
  readonly handlers: HandlersOf<keyof typeof transferEndpoints>
  /** Calls `notify` with the import's account when an import makes progress, on any replica. Returns the unsubscribe function. */
  onProgress(notify: (accountId: number, progress: TransferProgress) => void): () => void
  /** Stops the running import after its current batch. Another replica, or the next start, continues it. */
  close(): Promise<void>
}

export function createTransfers(parts: TransferParts): Transfers {
  const { db, signals, findAccess } = parts
  const runner = createRunner({ ...parts, work: (claimed) => runImport(db, findAccess, claimed) })
  return {
    handlers: createTransferHandlers(createTransferService(parts)),
    onProgress: (notify) =>
      signals.listen('transfer_changed', (payload) => {
        if (payload === undefined) return
        const { accountId, ...progress } = progressSignal.parse(JSON.parse(payload))
        notify(accountId, progress)
      }),
    close: () => runner.close(),
  }
}

export interface TransferDependencies extends Omit<TransferParts, 'findAccess'> {
  readonly session: Pick<SessionService, 'findAccountAccess'>
}

/** Import and export of a company as workbooks. */
export const transferModule = {
  migrations: transferMigrations,
  create: ({ session, ...server }: TransferDependencies) => ({
    ...createTransfers({ ...server, findAccess: session.findAccountAccess }),
    references: createTransferReferences(server.db),
  }),
} satisfies ServerModule
