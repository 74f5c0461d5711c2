import type { NodeList } from '@isotherm/tree/tree'
import { type TreeNodeType, toKind } from './node-kinds.ts'

/** One row of a list on its way into the tree. */
export interface ListEntry {
  readonly key: string
  readonly label: string
  /** 1 for a child of the parent the list goes below. */
  readonly depth: number
  readonly level: number
  readonly type: TreeNodeType
  /** Whether the list holds every child of it. */
  readonly complete: boolean
}

/** Gathers columns for the tree's model, so that no node is ever an object that stays. */
export interface ListBuilder {
  add(entry: ListEntry): void
  /** The columns themselves: nothing may be added afterwards. */
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
