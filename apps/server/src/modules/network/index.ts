import type { Database } from '../../platform/database.pg.ts'
import { createTreeSearchStore } from './search-store.pg.ts'
import { createNetworkService, type DevicesOfGroups, type NetworkService } from './service.ts'
import { createNetworkStore } from './store.pg.ts'
import { createTreeSearch, type TreeSearchNeeds } from './tree-search.ts'

export { createNetworkHandlers } from './handlers.ts'
export { type ImportedStructure, importStructure } from './import-structure.pg.ts'
export { networkMigrations } from './migrations.pg.ts'
export { toNodeKey } from './node-key.ts'
export { RegistryFileError } from './registry-file-error.ts'
export type { NetworkService } from './service.ts'
export { type StructureChange, structureSignal } from './structure-signal.ts'
export type { FoundDevice } from './tree-search.ts'

/** What the tree asks of the devices. */
export type DevicesOfTree = DevicesOfGroups & Pick<TreeSearchNeeds, 'searchDevices'>

export function createNetwork(db: Database, { searchDevices, ...ofGroups }: DevicesOfTree): NetworkService {
  const searchTree = createTreeSearch({ store: createTreeSearchStore(db), searchDevices })
  return createNetworkService({ store: createNetworkStore(db), searchTree, ...ofGroups })
}
