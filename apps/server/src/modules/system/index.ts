import type { ServerModule } from '../../platform/server-module.ts'
import { createSystemHandlers } from './handlers.ts'
import { systemMigrations } from './migrations.pg.ts'
import { createSystemReferences } from './references.pg.ts'
import { createSystem, type SystemDependencies } from './service.ts'

export { isApiKey } from './keys/key-access.pg.ts'

/** Administration: modules, roles, organisations, companies and the operation log. */
export const systemModule = {
  migrations: systemMigrations,
  create(dependencies: SystemDependencies) {
    const system = createSystem(dependencies)
    const { disabled, callCounts } = system.interfaces
    return {
      handlers: createSystemHandlers(system),
      references: createSystemReferences(dependencies.db),
      requireEnabled: disabled.requireEnabled,
      authenticateKey: system.keyAccess.authenticate,
      start: callCounts.start,
      close: callCounts.close,
    }
  },
} satisfies ServerModule
