export { createSystemHandlers } from './handlers.ts'
export { systemMigrations } from './migrations.pg.ts'
export { createSystemReferences } from './references.pg.ts'
export { createSystem } from './service.ts'
