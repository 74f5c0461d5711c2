/**
 * Where a search looks. `nodes`: the scope is so small that its nodes are named; `visible` are they and their
 * ancestors. `subtrees`: all below the nodes `ids` at `paths`. `deviceIds` are granted by themselves.
 */
export type SearchField =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'nodes'
      readonly inside: readonly number[]
      readonly visible: readonly number[]
      readonly deviceIds: readonly number[]
    }
  | {
      readonly kind: 'subtrees'
      readonly paths: readonly string[]
      readonly ids: readonly number[]
      readonly deviceIds: readonly number[]
    }

/** What was found, and whether something could not be looked through in time. */
export interface Findings<Found> {
  readonly found: readonly Found[]
  readonly isCut: boolean
}

/** Ids of the nodes on a path, from the project down. */
export const idsOf = (path: string): readonly number[] => path.split('/').filter(Boolean).map(Number)
