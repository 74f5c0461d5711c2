import type { FoldedName } from './fold-name.ts'
import { ranks } from './search-store.ts'
import { type SearchText, toPartPattern } from './search-text.ts'

/** A name of a level of a company, with the forms a search looks at. */
export interface KnownName extends FoldedName {
  readonly companyId: number
  readonly level: number
  readonly name: string
}

/** How well a name fits a text, undefined when it does not. The same as search-names.pg.ts says in SQL. */
export function toRanking({ plain, folded, latin }: SearchText): (name: KnownName) => number | undefined {
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

/** The order of PostgreSQL's collation "C", which is not that of JavaScript beyond the first 65,536 signs. */
const compareBytes = (left: string, right: string): number =>
  left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right))

const lengthOf = (text: string): number => [...text].length

/** Of names that fit alike: higher levels, shorter names, then their own order. */
export const compareNames = (left: KnownName, right: KnownName): number =>
  left.level - right.level ||
  lengthOf(left.folded) - lengthOf(right.folded) ||
  compareBytes(left.folded, right.folded) ||
  compareBytes(left.name, right.name) ||
  left.companyId - right.companyId

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Whether a name contains a part of an address. The same as search-parts.pg.ts says in SQL. */
export function toContaining(part: string): (name: FoldedName) => boolean {
  const pattern = new RegExp(toPartPattern(part), 'u')
  const letters = isLetters(part)
  return ({ folded, initials, pinyin }) =>
    (folded.includes(part) && pattern.test(folded)) ||
    (letters && (initials.startsWith(part) || pinyin.startsWith(part)))
}
