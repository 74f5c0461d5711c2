import type { EmitterKind } from '@isotherm/contract/emitters'
import type { PipeMaterial } from '@isotherm/contract/pipes'
import type { Generated, GeneratedAlways } from 'kysely'

/** A heating company. `tenant` is its name in MQTT topics. */
export interface CompanyTable {
  id: GeneratedAlways<number>
  tenant: string
  name: string
  time_zone: string
  version: Generated<number>
}

export type NodeKind = 'project' | 'group' | 'sub-user' | 'address'

/** One node of the tree. Projects and groups go by id, a sub-user by uuid, an address by its sub-user's uuid. */
export interface NodeTable {
  id: Generated<number>
  company_id: number
  /** Name inside the company's registry file; ties a second import to the same row. */
  key: string
  parent_id: number | null
  kind: NodeKind
  /** 1 to 8 (contract tree.ts). */
  level: number
  name: string
  /** Of a sub-user; an address has its sub-user's. */
  uuid: string | null
  /** Of an address: its parts below the sub-user joined by a hyphen. */
  address: string | null
  /** Ids from the project down to the node itself: '/1/4/12/'. */
  path: string
  /** Ids of the ancestors, comma-joined: '1,4'. */
  pids: GeneratedAlways<string>
  /** Names from the project down to the node itself, comma-joined. */
  nestaddr: string
  /** Orders the whole company as the tree shows it; positions among siblings, level by level. */
  sort_path: string
  area_m2: number | null
  /** True on the one sub-user that exists for testing. */
  is_test: Generated<boolean>
  description: Generated<string>
  /** What heats the rooms of it and of all below of which nothing else is said. */
  emitter: Generated<EmitterKind | null>
  version: Generated<number>
}

/**
 * Each name that nodes of a level bear in a company, once: a company of 100,000 nodes has few names, so that
 * a search looks through these and finds the nodes by name.
 */
export interface TreeNameTable {
  company_id: number
  level: number
  name: string
  /** fold-name.ts says what the rest is. */
  plain: string
  folded: string
  pinyin: string
  initials: string
  /** FORMS_VERSION of them. */
  forms: Generated<number>
}

/** Mark on a group's subtree. */
export interface SubdivisionTable {
  node_id: number
  /** The node's, for what goes by ids. */
  id: GeneratedAlways<number>
  stype: string
  version: Generated<number>
}

/** Where a node lies on the map (zone GIS), WGS-84. */
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
  /** null where it is as usual for the material. */
  roughness_mm: number | null
  laid_year: number | null
  version: Generated<number>
}

/** The registry file a company was last imported from: one that did not change is not imported again. */
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
