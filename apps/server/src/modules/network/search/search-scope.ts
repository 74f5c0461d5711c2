import type { SmallTree } from './small-tree.ts'

/**
 * Where a search looks. `nodes`: the scope is so small that its nodes are at hand, and those that lead to them. `subtrees`: all below the nodes `ids` at `paths`. `deviceIds` are granted by themselves.
 */
export type SearchField =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'nodes'
      readonly inside: readonly number[]
      readonly tree: SmallTree
      readonly deviceIds: readonly number[]
    }
  | {
      readonly kind: 'subtrees'
      readonly paths: readonly string[]
      readonly ids: readonly number[]
      /** Of the nodes. */
      readonly companyIds: readonly number[]
      readonly deviceIds: readonly number[]
    }

/** A field whose nodes are too many to be at hand. */
export type LargeField = Exclude<SearchField, { readonly kind: 'nodes' }>

/** What was found, and whether something could not be looked through in time. */
export interface Findings<Found> {
  readonly found: readonly Found[]
  readonly isCut: boolean
}

/** Ids of the nodes on a path, from the project down. */
export const idsOf = (path: string): readonly number[] => path.split('/').filter(Boolean).map(Number)
