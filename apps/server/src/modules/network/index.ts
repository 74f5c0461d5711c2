import type { Database } from '../../platform/postgres/database.pg.ts'
import { createNetworkService, type DevicesOfGroups, type NetworkService } from './answers/service.ts'
import { createNetworkStore } from './answers/store.pg.ts'
import { createSearchTurns } from './search/search-queue.ts'
import type { Findings, SearchField } from './search/search-scope.ts'
import { createTreeSearchStore } from './search/search-store.pg.ts'
import { createTreeSearch, type FoundDevice } from './search/tree-search.ts'

export type { NetworkService } from './answers/service.ts'
export { type AddedNode, addNodes } from './edit/add-nodes.pg.ts'
export { createNetworkHandlers } from './handlers.ts'
export { type ImportedStructure, importStructure } from './import/import-structure.pg.ts'
export { RegistryFileError } from './import/registry-file-error.ts'
export { networkMigrations } from './migrations/migrations.pg.ts'
export { refreshTreeNames, syncTreeNames } from './names/tree-names.pg.ts'
export { grantToAccount } from './nodes/company.pg.ts'
export { lockCompany } from './nodes/lock-tree.pg.ts'
export { createMapNodes, type MapNodes, type PlacedNode } from './nodes/map-nodes.pg.ts'
export { toNodeKey } from './nodes/node-key.ts'
export { toPlaceAbilities } from './nodes/policy.ts'
export { arrange, END } from './nodes/positions.ts'
export { type StructureChange, structureSignal, toPayload } from './nodes/structure-signal.ts'
export { createNetworkReferences } from './references.pg.ts'
export { isInField } from './search/search-scope.pg.ts'
export type { Findings, SearchField } from './search/search-scope.ts'
export type { FoundDevice } from './search/tree-search.ts'

/** What the tree asks of the devices. */
export interface DevicesOfTree extends DevicesOfGroups {
  /** Devices of the field by serial, IMEI and meter number, best first, at most `limit`; a statement ends after `limitMs`. */
  readonly searchDevices: (
    field: SearchField,
    text: string,
    limits: { readonly limit: number; readonly limitMs: number },
  ) => Promise<Findings<FoundDevice>>
}

/** How long one statement of a search may take, ms. */
const SEARCH_LIMIT_MS = 500

/** `searchLimitMs` is for tests, which must not depend on how busy a machine is. */
export function createNetwork(
  db: Database,
  { searchDevices, ...ofGroups }: DevicesOfTree,
  searchLimitMs = SEARCH_LIMIT_MS,
): NetworkService {
  const searchTree = createTreeSearch({
    store: createTreeSearchStore(db, searchLimitMs),
    searchDevices: (field, text, limit) => searchDevices(field, text, { limit, limitMs: searchLimitMs }),
    inTurn: createSearchTurns(),
  })
  return createNetworkService({ store: createNetworkStore(db), searchTree, ...ofGroups })
}
