import type { readingFilesEndpoints } from '@isotherm/contract/endpoints/devices/reading-files'
import type { transferEndpoints } from '@isotherm/contract/endpoints/devices/transfer'
import type { TransferProgress } from '@isotherm/contract/transfer'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { Log } from '../../platform/log.ts'
import type { ServerModule } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { Devices } from '../devices/index.ts'
import { createSettingsWriter, type SettingsWriter } from '../irrigation/index.ts'
import type { SessionService } from '../session/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { createTransferHandlers } from './handlers.ts'
import { type FindAccess, runImport } from './import/run-import.ts'
import { createRunner } from './import/runner.ts'
import { createReadingsService } from './readings/readings-service.ts'
import { type RunReadingsNeeds, runReadings } from './readings/run-readings.ts'
import { createTransferReferences } from './references.pg.ts'
import { transferMigrations } from './runs/migrations.pg.ts'
import { progressSignal } from './runs/progress.pg.ts'
import { createTransferService, type TransferNeeds } from './service.ts'

export interface TransferParts extends TransferNeeds, Pick<RunReadingsNeeds, 'directory' | 'files'> {
  readonly signals: Signals
  readonly log: Log
  readonly findAccess: FindAccess
  readonly irrigation: SettingsWriter
}

/** Import and export of a company in workbooks. */
export interface Transfers {
  readonly handlers: HandlersOf<keyof typeof transferEndpoints | keyof typeof readingFilesEndpoints>
  /** Calls `notify` with the import's account when an import makes progress, on any replica. Returns the unsubscribe function. */
  onProgress(notify: (accountId: number, progress: TransferProgress) => void): () => void
  /** Stops the running imports after their current batches. Another replica, or the next start, continues them. */
  close(): Promise<void>
}

export function createTransfers(parts: TransferParts): Transfers {
  const { signals } = parts
  const runners = [
    createRunner({ ...parts, kind: 'registry', work: (claimed) => runImport(parts, claimed) }),
    createRunner({ ...parts, kind: 'readings', work: (claimed) => runReadings(parts, claimed) }),
  ]
  return {
    handlers: createTransferHandlers(createTransferService(parts), createReadingsService(parts)),
    onProgress: (notify) =>
      signals.listen('transfer_changed', (payload) => {
        if (payload === undefined) return
        const { accountId, ...progress } = progressSignal.parse(JSON.parse(payload))
        notify(accountId, progress)
      }),
    async close() {
      await Promise.all(runners.map((runner) => runner.close()))
    },
  }
}

export interface TransferDependencies
  extends Omit<TransferParts, 'findAccess' | 'irrigation' | 'directory' | 'files'> {
  readonly devices: Pick<Devices, 'directory' | 'service'>
  readonly telemetry: Pick<Telemetry, 'files' | 'states'>
  readonly session: Pick<SessionService, 'findAccountAccess'>
}

/** Import and export of a company as workbooks. */
export const transferModule = {
  migrations: transferMigrations,
  create: ({ session, devices, telemetry, ...server }: TransferDependencies) => ({
    ...createTransfers({
      ...server,
      findAccess: session.findAccountAccess,
      irrigation: createSettingsWriter({
        clock: server.clock,
        devices: devices.service,
        hasReported: (id, metric) => telemetry.states.findReading(id, metric) !== undefined,
      }),
      directory: devices.directory,
      files: telemetry.files,
    }),
    references: createTransferReferences(server.db),
  }),
} satisfies ServerModule
