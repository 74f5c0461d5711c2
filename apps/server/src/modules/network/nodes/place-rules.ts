import { AppError } from '../../../platform/app-error.ts'
import type { NodeKind } from './tables.ts'

interface PlacedNode {
  readonly name: string
  readonly level: number
  readonly kind: NodeKind
}

/** Kinds that are allowed below each kind. */
const allowedBelow: Readonly<Record<NodeKind, readonly NodeKind[]>> = {
  project: ['group', 'sub-user'],
  group: ['group', 'sub-user'],
  'sub-user': ['address'],
  address: ['address'],
}

const describe = ({ name, level }: PlacedNode): string => `${name} (${level})`

/** Throws node.bad-place if the node's level is not below its parent's, or if its kind is not allowed there. */
export function checkPlace(node: PlacedNode, parent: PlacedNode): void {
  if (node.level > parent.level && allowedBelow[parent.kind].includes(node.kind)) return
  throw new AppError('node.bad-place', { detail: `${describe(node)} → ${describe(parent)}` })
}
