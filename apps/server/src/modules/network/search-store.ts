import type { Scope } from '../../platform/scope.ts'
import type { SearchText } from './search-text.ts'
import type { NodeKind } from './tables.ts'

/** How well something fits what was typed, best first. */
export const ranks = {
  deviceExact: 0,
  nameExact: 1,
  nameStart: 2,
  deviceStart: 3,
  nameInside: 4,
  deviceEnd: 5,
  pinyinStart: 6,
  pinyinInside: 7,
  address: 8,
} as const

/** A node that a search found. */
export interface FoundNode {
  readonly nodeId: number
  readonly path: string
  readonly level: number
  readonly rank: number
}

/** A node as a step on the way to a found one. */
export interface StepRow {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly kind: NodeKind
  readonly name: string
  readonly level: number
}

/** A part of an address, and how many names in the scope's companies contain it. */
export interface KnownPart {
  readonly part: string
  readonly names: number
}

/**
 * Searches of the stored tree: only nodes the scope covers, best first, at most `limit`. Undefined when it
 * took longer than a search may.
 */
export interface TreeSearchStore {
  findByName(scope: Scope, text: SearchText, limit: number): Promise<readonly FoundNode[] | undefined>
  /** How many names in the scope's companies contain each of the candidates. */
  countNames(scope: Scope, candidates: readonly string[]): Promise<ReadonlyMap<string, number> | undefined>
  /** Nodes whose own name contains the last part and whose ancestors contain the others in order. */
  findByParts(
    scope: Scope,
    parts: readonly KnownPart[],
    limit: number,
  ): Promise<readonly FoundNode[] | undefined>
  listSteps(ids: readonly number[]): Promise<readonly StepRow[]>
}
