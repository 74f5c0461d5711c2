import { create } from 'zustand'

export interface NetworkState {
  /** Keys of nodes whose children are on their way. */
  readonly busy: ReadonlySet<string>
  /** Keys of nodes whose children could not be had when they were last asked for. */
  readonly lost: ReadonlySet<string>
  /** Why the projects could not be loaded, and with them nothing. */
  readonly failure: unknown
  /** What stands in the search box. */
  readonly keyword: string
  /** Row of the current node; unlike the key in the selection it tells rows of the test-marked sub-user apart. */
  readonly currentKey: string | undefined
  /** A row to bring into view and to focus; a new object each time it is asked for. */
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

/** What the tree panel shows beside the tree, which itself stands in shared/tree-selection.ts. */
export const useNetwork = create<NetworkState>(() => nothing)

export const clearNetwork = (): void => useNetwork.setState(nothing)
