import { replaceChineseNumerals } from '@isotherm/kernel/chinese-numerals'
import { toPlain } from './name-forms.ts'

/** What somebody typed, in the forms a name has (fold-name.ts). */
export interface SearchText {
  readonly plain: string
  readonly folded: string
  /** Letters and digits when nothing else was typed: possibly pinyin. */
  readonly latin: string | undefined
}

const LATIN = /^(?=.*[a-z])[a-z0-9]+$/

/** The forms of a typed text; undefined when it is blank. */
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
/** An address has as many parts as the tree has levels below the company at most. */
const MOST_PIECES = 8

/**
 * A folded text as pieces of an address: tokens between separators, each cut before its numbers.
 * 阳光5号楼2单元-301 is [[阳光, 5号楼, 2单元], [301]]. Empty when it has fewer than two pieces or too many.
 */
export function toPieces(folded: string): readonly (readonly string[])[] {
  const tokens = folded
    .split(SEPARATORS)
    .filter((token) => token !== '')
    .map((token) => token.match(NUMBER_WITH_WORD) ?? [])
  const count = tokens.flat().length
  return count < 2 || count > MOST_PIECES ? [] : tokens
}

/** One part of an address: a name on the way contains one of `texts`. */
export interface AddressPart {
  readonly texts: readonly string[]
  /**
   * The part with the one before it, where nothing stands between them: the name that contains this may be
   * that of the same node, as in 阳光2期.
   */
  readonly glued: string | undefined
}

/** 5 of 5栋: what remains of a piece whose word no name has. */
const toNumberAlone = (piece: string): string | undefined => /^(\d+)\D+$/.exec(piece)?.[1]

const toAddress = (
  tokens: readonly (readonly string[])[],
  toTexts: (piece: string) => readonly string[],
): readonly AddressPart[] =>
  tokens.flatMap((pieces) =>
    pieces.map((piece, index) => {
      const before = pieces[index - 1]
      return { texts: toTexts(piece), glued: before === undefined ? undefined : before + piece }
    }),
  )

/**
 * What the pieces may mean, the likeliest first: as written; then with numbers whose words the names on the
 * way need not have.
 */
export function toAddresses(tokens: readonly (readonly string[])[]): readonly (readonly AddressPart[])[] {
  const written = toAddress(tokens, (piece) => [piece])
  const numbers = tokens.flat().map(toNumberAlone)
  if (numbers.every((number) => number === undefined)) return written.length === 0 ? [] : [written]
  const loose = toAddress(tokens, (piece) => [piece, toNumberAlone(piece) ?? piece])
  return [written, loose.map(({ texts, glued }) => ({ texts: [...new Set(texts)], glued }))]
}

const escapePattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Pattern of names that contain a part: a number in it is a whole number, so that 5 is not found in 15. */
export const toPartPattern = (part: string): string =>
  `${/^\d/.test(part) ? '(^|[^0-9])' : ''}${escapePattern(part)}${/\d$/.test(part) ? '($|[^0-9])' : ''}`
