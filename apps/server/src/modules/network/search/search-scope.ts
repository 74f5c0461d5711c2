import type { SmallTree } from './small-tree.ts'

/**
 * The part of the tree a search covers, derived from the caller's scope.
 * `everything`: all companies. `nodes`: few enough nodes to search in memory; `tree` also holds their ancestors.
 * `subtrees`: the nodes `ids` at `paths` with everything below them. `deviceIds` are devices granted individually.
 */
export type SearchScope =
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
      /** Companies of the nodes `ids`. */
      readonly companyIds: readonly number[]
      readonly deviceIds: readonly number[]
    }

/** A search scope with too many nodes to search in memory. */
export type LargeSearchScope = Exclude<SearchScope, { readonly kind: 'nodes' }>

/** Search results. `isIncomplete` is true if a statement timed out, so there may be more results. */
export interface Findings<Found> {
  readonly found: readonly Found[]
  readonly isIncomplete: boolean
}

/** Ids of the nodes on a path, from the project down. */
export const idsOf = (path: string): readonly number[] => path.split('/').filter(Boolean).map(Number)
