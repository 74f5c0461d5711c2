import type { NodeKind } from '../nodes/tables.ts'

/** A node that matches a search. */
export interface FoundNode {
  readonly nodeId: number
  readonly path: string
  readonly level: number
  /** One of `ranks` (names/search-match.ts); lower is better. */
  readonly rank: number
}

/** A node on the path from the project to a found node. */
export interface StepRow {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly kind: NodeKind
  readonly name: string
  readonly level: number
}
