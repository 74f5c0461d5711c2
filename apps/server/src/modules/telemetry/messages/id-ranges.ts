/** Ascending ranges of ids of devices, both ends included. Undefined: all ids. */
export type IdRanges = readonly { readonly first: number; readonly last: number }[] | undefined

/** Most ranges in a statement: each is compared with every block of the sorted rows. */
const MAX_RANGES = 200

/**
 * Ranges that contain the ids of all `devices`, which are in any order. A company gets most of its ids in sequence, so
 * there are few; the smallest gaps are closed above MAX_RANGES, so a range may have other ids too.
 */
export function toIdRanges(devices: Iterable<{ readonly id: number }>): NonNullable<IdRanges> {
  const ranges: { first: number; last: number }[] = []
  // Numbers of a typed array are sorted quickly, also a million.
  for (const id of Float64Array.from(devices, ({ id }) => id).sort()) {
    const open = ranges.at(-1)
    if (open && id <= open.last + 1) open.last = id
    else ranges.push({ first: id, last: id })
  }
  if (ranges.length <= MAX_RANGES) return ranges
  const gapBefore = (at: number): number => (ranges[at]?.first ?? 0) - (ranges[at - 1]?.last ?? 0)
  const byGap = ranges
    .map((_, at) => at)
    .slice(1)
    .sort((left, right) => gapBefore(right) - gapBefore(left))
  const starts = [0, ...byGap.slice(0, MAX_RANGES - 1).sort((left, right) => left - right)]
  return starts.map((start, index) => ({
    first: ranges[start]?.first ?? 0,
    last: ranges[(starts[index + 1] ?? ranges.length) - 1]?.last ?? 0,
  }))
}

/** Condition of ClickHouse: the id in `column` is in one of the ranges. */
export function isInRanges(column: string, ranges: IdRanges): string {
  if (ranges === undefined) return 'true'
  if (ranges.length === 0) return 'false'
  return `(${ranges.map(({ first, last }) => `${column} BETWEEN ${first} AND ${last}`).join(' OR ')})`
}
