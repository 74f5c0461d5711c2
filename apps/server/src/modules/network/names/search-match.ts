import type { NameForms } from './name-forms.ts'
import { type SearchText, toPartPattern } from './search-text.ts'

/** How well a node or device matches the search text, best first. */
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

/** A name used on one level of a company, with its search forms. */
export interface KnownName extends NameForms {
  readonly companyId: number
  readonly level: number
  readonly name: string
}

/** Returns how well a name matches a text, undefined if it does not. search-names.pg.ts has the same rule in SQL. */
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

/** Sort key of a UTF-16 code unit in code point order: surrogates encode the highest code points. */
const toPlace = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** Compares like PostgreSQL's collation "C". */
function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const difference = toPlace(left.charCodeAt(index)) - toPlace(right.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const lengthOf = (text: string): number => [...text].length

/** Order of names with the same rank: higher levels first, then shorter names, then by the name itself. */
export const compareNames = (left: KnownName, right: KnownName): number =>
  left.level - right.level ||
  lengthOf(left.folded) - lengthOf(right.folded) ||
  compareBytes(left.folded, right.folded) ||
  compareBytes(left.name, right.name) ||
  left.companyId - right.companyId

/** A name that matches, and how well. */
export interface RankedName<Name extends KnownName> {
  readonly name: Name
  readonly rank: number
}

/** Returns the matching names, best first. `names` must be in the order of compareNames. */
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

/** Tests whether a name contains a part of an address. search-parts.pg.ts has the same rule in SQL. */
export function toContaining(part: string): (name: NameForms) => boolean {
  const pattern = new RegExp(toPartPattern(part), 'u')
  const letters = isLetters(part)
  return ({ folded, initials, pinyin }) =>
    (folded.includes(part) && pattern.test(folded)) ||
    (letters && (initials.startsWith(part) || pinyin.startsWith(part)))
}
