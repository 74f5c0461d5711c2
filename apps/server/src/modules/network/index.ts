import type { Database } from '../../platform/database.pg.ts'
import { createNetworkService, type NetworkNeeds, type NetworkService } from './service.ts'
import { createNetworkStore } from './store.pg.ts'

export { createNetworkHandlers } from './handlers.ts'
export { type ImportedStructure, importStructure } from './import-structure.pg.ts'
export { networkMigrations } from './migrations.pg.ts'
export { toNodeKey } from './node-key.ts'
export { RegistryFileError } from './registry-file-error.ts'
export type { NetworkService } from './service.ts'
export { type StructureChange, structureSignal } from './structure-signal.ts'

export const createNetwork = (db: Database, countDevices: NetworkNeeds['countDevices']): NetworkService =>
  createNetworkService({ store: createNetworkStore(db), countDevices })
