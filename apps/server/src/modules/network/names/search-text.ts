import { replaceChineseNumerals } from '@isotherm/kernel/chinese-numerals'
import { toPlain } from './name-forms.ts'

/** A search text in the same forms as a name (name-forms.ts). */
export interface SearchText {
  readonly plain: string
  readonly folded: string
  /** The text without spaces if it consists of letters and digits only, so it may be pinyin; else undefined. */
  readonly latin: string | undefined
}

const LATIN = /^(?=.*[a-z])[a-z0-9]+$/

/** Returns the forms of a typed text; undefined if it is blank. */
export function toSearchText(text: string): SearchText | undefined {
  const plain = toPlain(text).trim().replace(/\s+/g, ' ')
  if (plain === '') return undefined
  const joined = plain.replace(/[\s']/g, '')
  return {
    plain,
    folded: replaceChineseNumerals(plain),
    latin: LATIN.test(joined) ? joined : undefined,
  }
}

const SEPARATORS = /[\s,，、。;；:：/\\|#+_.~·–—-]+/u
const NUMBER_WITH_WORD = /\d+\D*|\D+/g
/** An address has at most one part per tree level. */
const MAX_PIECES = 8

/**
 * Splits a folded text into pieces of an address: tokens between separators, each split before its numbers.
 * 阳光5号楼2单元-301 becomes [[阳光, 5号楼, 2单元], [301]]. Returns none for fewer than two or more than MAX_PIECES pieces.
 */
export function toPieces(folded: string): readonly (readonly string[])[] {
  const tokens = folded
    .split(SEPARATORS)
    .filter((token) => token !== '')
    .map((token) => token.match(NUMBER_WITH_WORD) ?? [])
  const count = tokens.flat().length
  return count < 2 || count > MAX_PIECES ? [] : tokens
}

/** One part of an address. It matches a node on the path whose name contains one of `texts`. */
export interface AddressPart {
  readonly texts: readonly string[]
  /**
   * This part joined with the previous one, if no separator was typed between them. One node's name may contain
   * both, as in 阳光2期.
   */
  readonly withPrevious: string | undefined
}

/** The number of a piece: 5 for 5栋. Names may use another word than 栋. */
const toNumberAlone = (piece: string): string | undefined => /^(\d+)\D+$/.exec(piece)?.[1]

const toAddress = (
  tokens: readonly (readonly string[])[],
  toTexts: (piece: string) => readonly string[],
): readonly AddressPart[] =>
  tokens.flatMap((pieces) =>
    pieces.map((piece, index) => {
      const before = pieces[index - 1]
      return { texts: toTexts(piece), withPrevious: before === undefined ? undefined : before + piece }
    }),
  )

/** Possible readings of the pieces, likeliest first: as written, then with only the number of each piece required. */
export function toAddresses(tokens: readonly (readonly string[])[]): readonly (readonly AddressPart[])[] {
  const written = toAddress(tokens, (piece) => [piece])
  const numbers = tokens.flat().map(toNumberAlone)
  if (numbers.every((number) => number === undefined)) return written.length === 0 ? [] : [written]
  const loose = toAddress(tokens, (piece) => [piece, toNumberAlone(piece) ?? piece])
  return [written, loose.map(({ texts, withPrevious }) => ({ texts: [...new Set(texts)], withPrevious }))]
}

const escapePattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Regular expression for names that contain a part. It matches whole numbers only: 5 is not found in 15. */
export const toPartPattern = (part: string): string =>
  `${/^\d/.test(part) ? '(^|[^0-9])' : ''}${escapePattern(part)}${/\d$/.test(part) ? '($|[^0-9])' : ''}`
