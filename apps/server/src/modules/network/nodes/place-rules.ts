import { AppError } from '../../../platform/app-error.ts'
import type { NodeKind } from './tables.ts'

interface Standing {
  readonly name: string
  readonly level: number
  readonly kind: NodeKind
}

/** The kinds that may stand below each. */
const below: Readonly<Record<NodeKind, readonly NodeKind[]>> = {
  project: ['group', 'sub-user'],
  group: ['group', 'sub-user'],
  'sub-user': ['address'],
  address: ['address'],
}

const describe = ({ name, level }: Standing): string => `${name} (${level})`

/** Refuses a node above its parent's level, or below a kind that holds none of its own. Throws node.bad-place. */
export function checkPlace(node: Standing, parent: Standing): void {
  if (node.level > parent.level && below[parent.kind].includes(node.kind)) return
  throw new AppError('node.bad-place', { detail: `${describe(node)} → ${describe(parent)}` })
}
