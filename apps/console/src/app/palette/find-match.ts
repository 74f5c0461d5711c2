import { toInitials } from './initials.ts'

/** Part of a text, from `start` (inclusive) to `end` (exclusive). */
export interface Range {
  readonly start: number
  readonly end: number
}

/** How a text matches the input. A lower rank is better; ranks of several words add up. */
export interface Match {
  readonly rank: number
  readonly ranges: readonly Range[]
}

/** Ranks: 0 at the start of the text, 1 inside of it, 2 at the start of its initials, 3 inside of them. */
function findWord(text: string, initials: string, word: string): Match | undefined {
  const place = text.toLowerCase().indexOf(word)
  if (place >= 0) return { rank: place === 0 ? 0 : 1, ranges: [{ start: place, end: place + word.length }] }
  const first = initials.indexOf(word)
  if (first < 0) return undefined
  return { rank: first === 0 ? 2 : 3, ranges: [{ start: first, end: first + word.length }] }
}

/** Words of the input, in lower case. */
export const toWords = (typed: string): readonly string[] =>
  typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Positions of the words in a text, literally or by pinyin initials. Skips words without a match. */
export function findRanges(text: string, words: readonly string[]): readonly Range[] {
  const initials = toInitials(text)
  const found = words.flatMap((word) => findWord(text, initials, word)?.ranges ?? [])
  return joinRanges(found)
}

/** Sorted ranges; touching ranges are merged. */
function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const range of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = joined.at(-1)
    if (last && range.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else joined.push(range)
  }
  return joined
}

/** Rank of a word that only the additional text contains: behind all matches in the label. */
const BESIDE_RANK = 4

/** How a label or its additional text (`beside`) matches all words; undefined if a word is missing. */
export function findMatch(label: string, beside: string, words: readonly string[]): Match | undefined {
  const initials = toInitials(label)
  const ranges: Range[] = []
  let rank = 0
  for (const word of words) {
    const inLabel = findWord(label, initials, word)
    if (inLabel) {
      rank += inLabel.rank
      ranges.push(...inLabel.ranges)
    } else if (beside.toLowerCase().includes(word)) rank += BESIDE_RANK
    else return undefined
  }
  return { rank, ranges: joinRanges(ranges) }
}
