import type { GuardPlaces } from '../../platform/guard-places.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import { createNetworkService, type DevicesOfGroups, type NetworkService } from './answers/service.ts'
import { createNetworkHandlers } from './handlers.ts'
import { networkMigrations } from './migrations/migrations.pg.ts'
import { createNetworkReferences } from './references.pg.ts'
import { createSearchQueue } from './search/search-queue.ts'
import type { Findings, SearchScope } from './search/search-scope.ts'
import { createTreeSearch, type FoundDevice } from './search/tree-search.ts'

export type { NetworkService } from './answers/service.ts'
export { type AddedNode, addNodes } from './edit/add-nodes.pg.ts'
export type { ImportedStructure } from './import/import-attributes.pg.ts'
export { importStructure } from './import/import-structure.pg.ts'
export { RegistryFileError } from './import/registry-file-error.ts'
export { refreshTreeNames, syncTreeNames } from './names/tree-names.pg.ts'
export { type FindArea, readAreas } from './nodes/areas.pg.ts'
export { grantToAccount } from './nodes/company.pg.ts'
export { lockCompany, lockNodeAt } from './nodes/lock-tree.pg.ts'
export {
  getLocatedNode,
  listPlacedNodes,
  type PlacedNode,
  readChains,
  readNestedNames,
} from './nodes/map-nodes.pg.ts'
export { toNodeKey } from './nodes/node-key.ts'
export { toPlaceAbilities } from './nodes/policy.ts'
export { arrange, END } from './nodes/positions.ts'
export { type StructureChange, structureSignal, toPayload } from './nodes/structure-signal.ts'
export { isInSearchScope } from './search/search-scope.pg.ts'
export type { Findings, SearchScope } from './search/search-scope.ts'
export type { FoundDevice } from './search/tree-search.ts'

/** Device queries that the tree needs. */
export interface DevicesOfTree extends DevicesOfGroups {
  /**
   * Finds devices of the search scope by serial, IMEI and meter number, best first, at most `limit`. `limitMs` is the
   * timeout of one statement.
   */
  readonly searchDevices: (
    searchScope: SearchScope,
    text: string,
    limits: { readonly limit: number; readonly limitMs: number },
  ) => Promise<Findings<FoundDevice>>
}

/** Timeout of one statement of a search, ms. */
const SEARCH_LIMIT_MS = 500

/** Tests pass a longer `searchLimitMs`, so that they do not depend on the load of the machine. */
export function createNetwork(
  db: Database,
  { searchDevices, ...ofGroups }: DevicesOfTree,
  searchLimitMs = SEARCH_LIMIT_MS,
): NetworkService {
  const searchTree = createTreeSearch({
    database: { db, limitMs: searchLimitMs },
    searchDevices: (searchScope, text, limit) =>
      searchDevices(searchScope, text, { limit, limitMs: searchLimitMs }),
    runQueued: createSearchQueue(),
  })
  return createNetworkService({ db, searchTree, ...ofGroups })
}

/** The tree of companies, stations, buildings and households. */
export const networkModule = {
  migrations: networkMigrations,
  create: ({
    db,
    network,
    guardPlaces,
  }: Pick<ServerResources, 'db'> & {
    readonly network: NetworkService
    readonly guardPlaces: GuardPlaces
  }) => ({
    handlers: createNetworkHandlers(network, db, guardPlaces),
    references: createNetworkReferences(db),
  }),
} satisfies ServerModule
