import { create } from 'zustand'

export interface NetworkState {
  /** Keys of nodes whose children are loading. */
  readonly busy: ReadonlySet<string>
  /** Keys of nodes whose last load failed. */
  readonly lost: ReadonlySet<string>
  /** Why the projects, and so the whole tree, could not be loaded. */
  readonly failure: unknown
  /** The text in the search box. */
  readonly keyword: string
  /** Row key of the current node. Unlike the server key, it identifies each row of the test-marked sub-user. */
  readonly currentKey: string | undefined
  /** A row to bring into view and focus; a new object for each request. */
  readonly target: { readonly key: string } | undefined
}

const nothing: NetworkState = {
  busy: new Set(),
  lost: new Set(),
  failure: undefined,
  keyword: '',
  currentKey: undefined,
  target: undefined,
}

/** State of the tree panel. The tree itself is in shared/nodes/tree-selection.ts. */
export const useNetwork = create<NetworkState>(() => nothing)

export const clearNetwork = (): void => useNetwork.setState(nothing)
