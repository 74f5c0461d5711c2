import { ranks } from '../search/search-store.ts'
import type { FoldedName } from './name-forms.ts'
import { type SearchText, toPartPattern } from './search-text.ts'

/** A name of a level of a company, with the forms a search looks at. */
export interface KnownName extends FoldedName {
  readonly companyId: number
  readonly level: number
  readonly name: string
}

/** How well a name fits a text, undefined when it does not. The same as search-names.pg.ts says in SQL. */
function toRanking({ plain, folded, latin }: SearchText): (name: KnownName) => number | undefined {
  return (name) => {
    if (name.plain === plain || name.folded === folded) return ranks.nameExact
    if (name.plain.startsWith(plain) || name.folded.startsWith(folded)) return ranks.nameStart
    if (name.plain.includes(plain) || name.folded.includes(folded)) return ranks.nameInside
    if (latin === undefined) return undefined
    if (name.initials.startsWith(latin) || name.pinyin.startsWith(latin)) return ranks.pinyinStart
    const isInside =
      (latin.length > 1 && name.initials.includes(latin)) || (latin.length > 2 && name.pinyin.includes(latin))
    return isInside ? ranks.pinyinInside : undefined
  }
}

/** Code units beyond the first 55,296 in the order of their code points: surrogates stand for the highest. */
const toPlace = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** The order of PostgreSQL's collation "C". */
function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const difference = toPlace(left.charCodeAt(index)) - toPlace(right.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const lengthOf = (text: string): number => [...text].length

/** Of names that fit alike: higher levels, shorter names, then their own order. */
export const compareNames = (left: KnownName, right: KnownName): number =>
  left.level - right.level ||
  lengthOf(left.folded) - lengthOf(right.folded) ||
  compareBytes(left.folded, right.folded) ||
  compareBytes(left.name, right.name) ||
  left.companyId - right.companyId

/** A name that fits, and how well. */
export interface RankedName<Name extends KnownName> {
  readonly name: Name
  readonly rank: number
}

/** Of names in the order of compareNames those that fit, best first. */
export function rankNames<Name extends KnownName>(
  names: readonly Name[],
  text: SearchText,
): readonly RankedName<Name>[] {
  const toRank = toRanking(text)
  const fitting = names.flatMap((name): RankedName<Name>[] => {
    const rank = toRank(name)
    return rank === undefined ? [] : [{ name, rank }]
  })
  // The sort is stable.
  return fitting.toSorted((left, right) => left.rank - right.rank)
}

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Whether a name contains a part of an address. The same as search-parts.pg.ts says in SQL. */
export function toContaining(part: string): (name: FoldedName) => boolean {
  const pattern = new RegExp(toPartPattern(part), 'u')
  const letters = isLetters(part)
  return ({ folded, initials, pinyin }) =>
    (folded.includes(part) && pattern.test(folded)) ||
    (letters && (initials.startsWith(part) || pinyin.startsWith(part)))
}
