/**
 * Positions of siblings are fractions in base 36, written without the point ('1000' is 1/36). There is always another
 * position between two, and the byte order of the texts is the order of the numbers. A sort path contains the
 * positions from the project down, each followed by END, which sorts before every digit. So the byte order of sort
 * paths is the order of the tree, and a subtree is one range.
 */
export const END = '/'

const BASE = 36n
/** Digits of a normal position. */
const DIGITS = 4
/** If a position needs more digits than this, all siblings get new positions. */
export const MAX_DIGITS = 20
/** Distance of new positions before the first or after the last sibling, in units of the last normal digit. */
const STEP = 36n
/** Distance of siblings that all get new positions, in the same unit. */
const WIDE_STEP = 1_296n

const power = (digits: number): bigint => BASE ** BigInt(digits)

const toNumber = (position: string, digits: number): bigint => {
  let number = 0n
  for (const digit of position.slice(0, digits).padEnd(digits, '0'))
    number = number * BASE + BigInt(Number.parseInt(digit, 36))
  return number
}

const hasRest = (position: string, digits: number): boolean => /[^0]/.test(position.slice(digits))

/** The unique text of a number, without trailing zeros beyond the normal digits. */
const toPosition = (number: bigint, digits: number): string => {
  const text = number.toString(36).padStart(digits, '0')
  return text.slice(0, DIGITS) + text.slice(DIGITS).replace(/0+$/, '')
}

const least = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** The integers of `digits` digits strictly between two positions, as a half-open range. */
function toRange(low: string | undefined, high: string | undefined, count: bigint, digits: number) {
  const all = power(digits)
  const unit = power(digits - DIGITS)
  const first = low === undefined ? 1n : toNumber(low, digits) + 1n
  const end = high === undefined ? all : toNumber(high, digits) + (hasRest(high, digits) ? 1n : 0n)
  if (low === undefined && high === undefined) {
    const half = least((count * WIDE_STEP * unit) / 2n + 1n, all / 2n - 1n)
    return { first: all / 2n - half, end: all / 2n + half }
  }
  const width = 2n * count * STEP * unit
  if (high === undefined) return { first, end: least(end, first + width) }
  if (low === undefined) return { first: end - width > first ? end - width : first, end }
  return { first, end }
}

/** Returns `count` ordered positions strictly between two; undefined means no bound on that side. */
export function between(low: string | undefined, high: string | undefined, count: number): readonly string[] {
  const wanted = BigInt(count)
  for (let digits = DIGITS; ; digits += 1) {
    const { first, end } = toRange(low, high, wanted, digits)
    const room = end - first
    if (room < wanted) continue
    return Array.from({ length: count }, (_, index) =>
      toPosition(first + ((2n * BigInt(index) + 1n) * room) / (2n * wanted), digits),
    )
  }
}

/** Indices of a longest increasing subsequence of `known`, skipping undefined. */
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
  const rising = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rising.add(index)
  return rising
}

/**
 * Assigns positions to siblings in their order. `known` are the positions they have so far; as many as possible stay
 * unchanged. All siblings get new positions only if there is no room left.
 */
export function arrange(known: readonly (string | undefined)[]): readonly string[] {
  const unchanged = findRising(known)
  const arranged: string[] = []
  for (let start = 0; start < known.length; ) {
    const own = unchanged.has(start) ? known[start] : undefined
    if (own !== undefined) {
      arranged.push(own)
      start += 1
      continue
    }
    let end = start
    while (end < known.length && !unchanged.has(end)) end += 1
    for (const position of between(arranged.at(-1), known[end], end - start)) arranged.push(position)
    start = end
  }
  return arranged.every(({ length }) => length <= MAX_DIGITS)
    ? arranged
    : between(undefined, undefined, known.length)
}

/** The last position of a sort path. */
export const positionOf = (sortPath: string): string => sortPath.slice(0, -1).split(END).at(-1) ?? ''
