import type { Registry } from 'prom-client'
import type { ServerModule } from '../../platform/server-module.ts'
import { addBackupMetrics } from './backups/backup-metrics.ts'
import { createSystemHandlers } from './handlers.ts'
import { systemMigrations } from './migrations.pg.ts'
import { createSystemReferences } from './references.pg.ts'
import { createSystem, type SystemDependencies } from './service.ts'

export { BACKUP_RUNS, beginBackupRun, endBackupRun, type MadeBackup } from './backups/backup-runs.pg.ts'
export { isApiKey } from './keys/key-access.pg.ts'

/** Administration: modules, roles, organisations, companies and the operation log. */
export const systemModule = {
  migrations: systemMigrations,
  create(dependencies: SystemDependencies & { readonly registry: Registry }) {
    const system = createSystem(dependencies)
    addBackupMetrics(dependencies.registry, dependencies.db, dependencies.clock)
    const { disabled, callCounts } = system.interfaces
    return {
      handlers: createSystemHandlers(system),
      references: createSystemReferences(dependencies.db),
      requireEnabled: disabled.requireEnabled,
      authenticateKey: system.keyAccess.authenticate,
      start() {
        callCounts.start()
        system.logRetention.start()
      },
      async close() {
        await system.logRetention.close()
        await callCounts.close()
      },
    }
  },
} satisfies ServerModule
