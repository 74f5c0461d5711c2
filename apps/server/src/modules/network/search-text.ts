import { replaceChineseNumerals } from '@isotherm/kernel/chinese-numerals'
import { toPlain } from './fold-name.ts'

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

const LONGEST_GLUE = 3

/** Every text that could be one part of the address, so that the names can be asked which of them are. */
export function toCandidates(tokens: readonly (readonly string[])[]): readonly string[] {
  const candidates = new Set<string>()
  for (const pieces of tokens) {
    for (const start of pieces.keys()) {
      for (let length = 1; length <= LONGEST_GLUE; length += 1) {
        candidates.add(pieces.slice(start, start + length).join(''))
      }
      const number = toNumberAlone(pieces[start] ?? '')
      if (number !== undefined) candidates.add(number)
    }
  }
  return [...candidates]
}

/** 5 of 5栋: what remains of a piece whose word no name has. */
const toNumberAlone = (piece: string): string | undefined => /^(\d+)\D+$/.exec(piece)?.[1]

/**
 * The parts an address is made of: from the left the longest run of pieces that some name contains, so that
 * 阳光2期 stays one part where there is such a name. Empty when a piece fits no name at all.
 */
export function toParts(
  tokens: readonly (readonly string[])[],
  isKnown: (candidate: string) => boolean,
): readonly string[] {
  const parts: string[] = []
  for (const pieces of tokens) {
    let start = 0
    while (start < pieces.length) {
      const { part, taken } = takePart(pieces, start, isKnown)
      if (part === undefined) return []
      parts.push(part)
      start += taken
    }
  }
  return parts
}

function takePart(pieces: readonly string[], start: number, isKnown: (candidate: string) => boolean) {
  for (let taken = LONGEST_GLUE; taken >= 1; taken -= 1) {
    const part = pieces.slice(start, start + taken).join('')
    if (start + taken <= pieces.length && isKnown(part)) return { part, taken }
  }
  const number = toNumberAlone(pieces[start] ?? '')
  return { part: number !== undefined && isKnown(number) ? number : undefined, taken: 1 }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Pattern of names that contain a part: a number in it is a whole number, so that 5 is not found in 15. */
export const toPartPattern = (part: string): string =>
  `${/^\d/.test(part) ? '(^|[^0-9])' : ''}${escapePattern(part)}${/\d$/.test(part) ? '($|[^0-9])' : ''}`
