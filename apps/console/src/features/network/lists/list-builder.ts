import type { NodeList } from '@isotherm/tree/tree'
import { type TreeNodeType, toKind } from './node-kinds.ts'

/** One row of a list for the tree. */
export interface ListEntry {
  readonly key: string
  readonly label: string
  /** Depth below the parent of the list: 1 for its children. */
  readonly depth: number
  readonly level: number
  readonly type: TreeNodeType
  /** Whether the list contains all of its children. */
  readonly complete: boolean
}

/** Collects rows as columns for the tree model, so that no node needs an object of its own. */
export interface ListBuilder {
  add(entry: ListEntry): void
  /** The columns. Nothing may be added after they are used. */
  readonly list: NodeList
}

export function createListBuilder(): ListBuilder {
  const keys: string[] = []
  const labels: string[] = []
  const depths: number[] = []
  const kinds: number[] = []
  const levels: number[] = []
  const complete: number[] = []
  return {
    add(entry) {
      keys.push(entry.key)
      labels.push(entry.label)
      depths.push(entry.depth)
      kinds.push(toKind(entry.type))
      levels.push(entry.level)
      complete.push(entry.complete ? 1 : 0)
    },
    list: { keys, labels, depths, kinds, levels, complete },
  }
}
