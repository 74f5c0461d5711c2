import type { Scope } from '../../../platform/scope/scope.ts'
import type { KnownName } from '../names/search-match.ts'
import type { AddressPart, SearchText } from '../names/search-text.ts'
import type { NodeKind } from '../nodes/tables.ts'
import type { Findings, LargeField, SearchField } from './search-scope.ts'

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

/** A part of an address, and how many names of the field's companies contain it, by their level. */
export interface KnownPart extends AddressPart {
  readonly names: ReadonlyMap<number, number>
}

/** Searches of the stored tree: only nodes the scope covers, best first, at most `limit`. */
export interface TreeSearchStore {
  /** Higher once any node was changed. */
  readRevision(): Promise<number>
  /** Where a search in a scope of disjoint paths looks. */
  openField(scope: Scope): Promise<SearchField>
  /** Names of the field's companies, at most `limit`, in no order. */
  readNames(field: LargeField, limit: number): Promise<readonly KnownName[]>
  /** `names` are those of the field's companies in the order of compareNames, where they are at hand. */
  findByName(
    field: LargeField,
    text: SearchText,
    limit: number,
    names?: readonly KnownName[],
  ): Promise<Findings<FoundNode>>
  /**
   * How many names of each level each of the texts stands in, of the field's companies; undefined when it took longer than a statement may.
   */
  countNames(
    field: LargeField,
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<number, number>> | undefined>
  /** Nodes whose own name contains the last part and whose ancestors contain the others in order. */
  findByParts(
    field: LargeField,
    parts: readonly KnownPart[],
    limit: number,
    names?: readonly KnownName[],
  ): Promise<Findings<FoundNode>>
  listSteps(ids: readonly number[]): Promise<readonly StepRow[]>
}
