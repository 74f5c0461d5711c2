import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import type { ParsedNodeKey } from '@isotherm/contract/tree'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { NodeKind } from '../nodes/tables.ts'

/** A project or group as it is stored. */
export interface GroupRow {
  readonly id: number
  readonly name: string
  readonly level: number
  readonly parentId: number | null
  readonly path: string
  readonly kind: 'project' | 'group'
  readonly description: string
  readonly version: number
}

export interface SubUserRow {
  readonly uuid: string
  readonly name: string
  readonly pids: string
  readonly isTest: boolean
  readonly path: string
  readonly version: number
  /** The lowest of its addresses that the scope covers, in tree order. */
  readonly addresses: readonly string[]
  /** Floor areas of those that have one, in tree order; none unless they were asked for. */
  readonly areas: readonly AddressAreaRow[]
}

export interface AddressAreaRow {
  readonly address: string
  readonly areaM2: number
}

export interface SubdivisionRow {
  readonly nodeId: number
  readonly pids: string
  readonly stype: string
  readonly path: string
  readonly kind: NodeKind
  readonly version: number
}

/** What names a node on the wire. */
export interface NodeIdentityRow {
  readonly id: number
  /** Of a sub-user and of an address, which has its sub-user's. */
  readonly uuid: string | null
  /** Of an address. */
  readonly address: string | null
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface PageQuery {
  readonly filter: readonly FilterItem[]
  readonly limiter: Limiter
}

export interface SubUserQuery extends PageQuery {
  readonly withAreas: boolean
}

/** A key that names a node, not the root and not nothing. */
export type NodeName = Exclude<ParsedNodeKey, { readonly kind: 'root' | 'invalid' }>

/** The stored tree. Everything a caller can ask for takes the scope and shows what it covers or leads into. */
export interface NetworkStore {
  listProjects(scope: Scope, name: string | undefined, limiter: Limiter): Promise<Page<GroupRow>>
  /** A project and all groups below it, in tree order, whoever asks; none when there is no such project. */
  listGroups(projectId: number): Promise<readonly GroupRow[]>
  /** Higher once a project, a group or a controller was changed. */
  readRevision(): Promise<number>
  listSubUsers(scope: Scope, query: SubUserQuery): Promise<Page<SubUserRow>>
  /** All below a place, whoever asks, without floor areas; `ids` from its project down, with commas between. */
  listSubUsersBelow(ids: string, limiter: Limiter): Promise<Page<SubUserRow>>
  listSubdivisions(scope: Scope, query: PageQuery): Promise<Page<SubdivisionRow>>
  /** Nodes at `paths` that the scope shows, in no order. */
  findNodes(scope: Scope, paths: readonly string[]): Promise<readonly NodeIdentityRow[]>
  /** The named nodes that exist at all, whoever asks; the service narrows them. */
  findNamed(names: readonly NodeName[]): Promise<readonly (NodeIdentityRow & { readonly path: string })[]>
  listProjectPaths(companyId: number): Promise<readonly string[]>
}
