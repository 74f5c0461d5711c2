import { create } from 'zustand'
import type { SubUserCache } from './load-children.ts'
import { emptyTree, type TreeModel } from './tree-model.ts'

export interface NetworkState {
  readonly tree: TreeModel
  /** Keys of nodes whose children are on their way. */
  readonly loading: ReadonlySet<string>
  /** Why the projects could not be loaded, and with them nothing. */
  readonly failure: unknown
  readonly keyword: string
  /** Sub-user lists by company. A new map after a logout, so that what was asked before is not kept. */
  readonly subUsers: SubUserCache
}

const initial = (): NetworkState => ({
  tree: emptyTree,
  loading: new Set(),
  failure: undefined,
  keyword: '',
  subUsers: new Map(),
})

/** The loaded part of the tree. What is current, checked and expanded stands in shared/tree-selection.ts. */
export const useNetwork = create<NetworkState>(initial)

export const clearNetwork = (): void => useNetwork.setState(initial())

export const setKeyword = (keyword: string): void => useNetwork.setState({ keyword })
