import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import type { Generated, GeneratedAlways } from 'kysely'

/** A heating company. `tenant` names it in MQTT topics. */
export interface CompanyTable {
  id: GeneratedAlways<number>
  tenant: string
  name: string
  time_zone: string
  version: Generated<number>
}

export type NodeKind = 'project' | 'group' | 'sub-user' | 'address'

/** One node of the tree. A project or group is identified by id, a sub-user by uuid, an address by uuid and address. */
export interface NodeTable {
  id: Generated<number>
  company_id: number
  /** Key in the company's registry file; a later import finds the row by it. */
  key: string
  parent_id: number | null
  kind: NodeKind
  /** 1 to 8 (contract tree.ts). */
  level: number
  name: string
  /** Of a sub-user; an address has the uuid of its sub-user. */
  uuid: string | null
  /** Of an address: its parts below the sub-user joined by a hyphen. */
  address: string | null
  /** Ids from the project down to the node itself: '/1/4/12/'. */
  path: string
  /** Ids of the ancestors, comma-joined: '1,4'. */
  pids: GeneratedAlways<string>
  /** Names from the project down to the node itself, comma-joined. */
  nestaddr: string
  /** Orders the company's nodes as the tree shows them: positions among siblings, level by level (positions.ts). */
  sort_path: string
  area_m2: number | null
  /** True for the one sub-user of a project that exists for testing. */
  is_test: Generated<boolean>
  description: Generated<string>
  /** Heat emitter of the node; lower nodes inherit it unless they have their own. */
  emitter: Generated<EmitterKind | null>
  version: Generated<number>
}

/**
 * Each distinct name of the nodes of a company, by level. A company with 100,000 nodes has few distinct names, so a
 * search scans these and then finds the nodes by name.
 */
export interface TreeNameTable {
  company_id: number
  level: number
  name: string
  /** The search forms of the name (names/name-forms.ts). */
  plain: string
  folded: string
  pinyin: string
  initials: string
  /** FORMS_VERSION that computed the forms. */
  forms: Generated<number>
}

/** Marks a project or group as a subdivision of a type. */
export interface SubdivisionTable {
  node_id: number
  /** Same as node_id; the operation log needs a column `id`. */
  id: GeneratedAlways<number>
  stype: string
  version: Generated<number>
}

/** Position of a node on the map (zone GIS), WGS-84. */
export interface NodeGisTable {
  node_id: number
  id: GeneratedAlways<number>
  longitude_deg: number
  latitude_deg: number
  /** JSON: the ring of a zone's outline as [longitude, latitude] in degrees; null for a point. */
  outline: string | null
  version: Generated<number>
}

/** A trench with a supply and a return pipe between two nodes of one company. */
export interface PipeTable {
  id: GeneratedAlways<number>
  company_id: number
  from_node_id: number
  to_node_id: number
  length_m: number
  inner_diameter_mm: number
  material: PipeMaterial
  /** null: the usual roughness of the material. */
  roughness_mm: number | null
  laid_year: number | null
  version: Generated<number>
}

/** The registry file a company was last imported from. An unchanged file is not imported again. */
export interface RegistryFileTable {
  tenant: string
  /** SHA-256 of its text. */
  hash: Buffer
  imported_at: Date
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    company: CompanyTable
    registry_file: RegistryFileTable
    node: NodeTable
    tree_name: TreeNameTable
    subdivision: SubdivisionTable
    node_gis: NodeGisTable
    pipe: PipeTable
  }
}
