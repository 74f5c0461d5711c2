import type { NodeType } from '@isotherm/contract/endpoints/tree'

/** Loading stops here; 8 is the lowest level with a name (specification, section 4). */
export const LOADING_STOPS_AT = 10

/** What a node stands for: its place here is the byte the tree's model keeps for it. */
const nodeTypes = ['root', 'project', 'group', 'user', 'addr'] as const satisfies readonly (
  | 'root'
  | NodeType
)[]
export type TreeNodeType = (typeof nodeTypes)[number]

export const toKind = (type: TreeNodeType): number => nodeTypes.indexOf(type)
export const toNodeType = (kind: number): TreeNodeType => nodeTypes[kind] ?? 'root'
