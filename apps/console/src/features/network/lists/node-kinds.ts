import type { NodeType } from '@isotherm/contract/endpoints/network/tree'

/** Loading stops here; 8 is the lowest level with a name (specification, section 4). */
export const LOADING_STOPS_AT = 10

/** Node types. The index is the byte that the tree model stores. */
const nodeTypes = ['root', 'project', 'group', 'user', 'addr'] as const satisfies readonly (
  | 'root'
  | NodeType
)[]
export type TreeNodeType = (typeof nodeTypes)[number]

export const toKind = (type: TreeNodeType): number => nodeTypes.indexOf(type)
export const toNodeType = (kind: number): TreeNodeType => nodeTypes[kind] ?? 'root'
