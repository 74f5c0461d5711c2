/**
 * Positions of siblings: fractions in base 36 without their point ('1000' is 1/36), so that there always is
 * one between two. Byte order of the texts is the order of the numbers. A sort path is the positions from the
 * project down, each ended by END, which precedes every digit: in byte order it is the order of the tree, and a
 * subtree is one range of it.
 */
export const END = '/'

const BASE = 36n
/** Digits of an ordinary position. */
const SIGNS = 4
/** A position with more digits is none: the siblings are spread anew. */
export const MOST_SIGNS = 20
/** Distance at the end and the beginning of a row, in units of the last ordinary digit. */
const STEP = 36n
/** Distance of siblings that are placed together, likewise. */
const WIDE_STEP = 1_296n

const power = (signs: number): bigint => BASE ** BigInt(signs)

const toNumber = (position: string, signs: number): bigint => {
  let number = 0n
  for (const sign of position.slice(0, signs).padEnd(signs, '0'))
    number = number * BASE + BigInt(Number.parseInt(sign, 36))
  return number
}

const hasRest = (position: string, signs: number): boolean => /[^0]/.test(position.slice(signs))

/** One text for one number: zeros that say nothing are left out. */
const toPosition = (number: bigint, signs: number): string => {
  const digits = number.toString(36).padStart(signs, '0')
  return digits.slice(0, SIGNS) + digits.slice(SIGNS).replace(/0+$/, '')
}

const least = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** The whole numbers of so many digits strictly between two positions: the first and one behind the last. */
function toRange(low: string | undefined, high: string | undefined, count: bigint, signs: number) {
  const all = power(signs)
  const unit = power(signs - SIGNS)
  const first = low === undefined ? 1n : toNumber(low, signs) + 1n
  const end = high === undefined ? all : toNumber(high, signs) + (hasRest(high, signs) ? 1n : 0n)
  if (low === undefined && high === undefined) {
    const half = least((count * WIDE_STEP * unit) / 2n + 1n, all / 2n - 1n)
    return { first: all / 2n - half, end: all / 2n + half }
  }
  const width = 2n * count * STEP * unit
  if (high === undefined) return { first, end: least(end, first + width) }
  if (low === undefined) return { first: end - width > first ? end - width : first, end }
  return { first, end }
}

/** `count` positions in order strictly between two, where undefined is beyond all. */
export function between(low: string | undefined, high: string | undefined, count: number): readonly string[] {
  const wanted = BigInt(count)
  for (let signs = SIGNS; ; signs += 1) {
    const { first, end } = toRange(low, high, wanted, signs)
    const room = end - first
    if (room < wanted) continue
    return Array.from({ length: count }, (_, index) =>
      toPosition(first + ((2n * BigInt(index) + 1n) * room) / (2n * wanted), signs),
    )
  }
}

/** Indices of a longest run of `known` that rises. */
function findRising(known: readonly (string | undefined)[]): ReadonlySet<number> {
  const ends: number[] = []
  const before: (number | undefined)[] = []
  const at = (index: number | undefined): string => (index === undefined ? '' : (known[index] ?? ''))
  for (const [index, position] of known.entries()) {
    if (position === undefined) continue
    let [from, to] = [0, ends.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (at(ends[middle]) < position) from = middle + 1
      else to = middle
    }
    before[index] = ends[from - 1]
    ends[from] = index
  }
  const kept = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) kept.add(index)
  return kept
}

/**
 * Positions for siblings in their order, of whom `known` have one: as many as possible keep theirs. Only where
 * there is no room left, all get another.
 */
export function arrange(known: readonly (string | undefined)[]): readonly string[] {
  const kept = findRising(known)
  const arranged: string[] = []
  for (let start = 0; start < known.length; ) {
    const own = kept.has(start) ? known[start] : undefined
    if (own !== undefined) {
      arranged.push(own)
      start += 1
      continue
    }
    let end = start
    while (end < known.length && !kept.has(end)) end += 1
    for (const position of between(arranged.at(-1), known[end], end - start)) arranged.push(position)
    start = end
  }
  return arranged.every(({ length }) => length <= MOST_SIGNS)
    ? arranged
    : between(undefined, undefined, known.length)
}

/** The last position of a sort path. */
export const positionOf = (sortPath: string): string => sortPath.slice(0, -1).split(END).at(-1) ?? ''
