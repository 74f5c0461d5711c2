import type { Database } from '../../platform/database.pg.ts'
import type { Findings, SearchField } from './search-field.ts'
import { createTreeSearchStore } from './search-store.pg.ts'
import { createSearchTurns } from './search-turns.ts'
import { createNetworkService, type DevicesOfGroups, type NetworkService } from './service.ts'
import { createNetworkStore } from './store.pg.ts'
import { createTreeSearch, type FoundDevice } from './tree-search.ts'

export { type AddedNode, addNodes } from './add-nodes.pg.ts'
export { grantToAccount } from './company.pg.ts'
export { createNetworkHandlers } from './handlers.ts'
export { type ImportedStructure, importStructure } from './import-structure.pg.ts'
export { lockCompany } from './lock-tree.pg.ts'
export { createMapNodes, type MapNodes, type PlacedNode } from './map-nodes.pg.ts'
export { networkMigrations } from './migrations.pg.ts'
export { toNodeKey } from './node-key.ts'
export { toPlaceAbilities } from './policy.ts'
export { arrange, END } from './positions.ts'
export { createNetworkReferences } from './references.pg.ts'
export { RegistryFileError } from './registry-file-error.ts'
export { isInField } from './search-field.pg.ts'
export type { Findings, SearchField } from './search-field.ts'
export type { NetworkService } from './service.ts'
export { type StructureChange, structureSignal, toPayload } from './structure-signal.ts'
export { refreshTreeNames, syncTreeNames } from './tree-names.pg.ts'
export type { FoundDevice } from './tree-search.ts'

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
