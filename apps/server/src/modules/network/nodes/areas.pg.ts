import { heatedAreaRange } from '@isotherm/contract/network/heated-area'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'

/** Floor area of the nodes at and below a path, m²; undefined if none is recorded. Areas below the contract's range count as none. */
export type FindArea = (path: string) => number | undefined

/** Position of the first path at or after one. Paths sort by their bytes. */
function findStart(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((paths[middle] ?? '') < path) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads the recorded areas below paths at once: a company has a hundred thousand, and as many places ask for theirs. */
export async function readAreas(db: Database, below: readonly string[]): Promise<FindArea> {
  const rows = await db
    .selectFrom('node')
    .select(['path', 'area_m2'])
    // An earlier version stored areas of any size; one of almost nothing makes heat per area overflow.
    .where('area_m2', '>=', heatedAreaRange.min)
    .where(isBelow('node.path', below))
    .execute()
  rows.sort((left, right) => (left.path < right.path ? -1 : 1))
  const paths = rows.map(({ path }) => path)
  const sums = new Float64Array(rows.length + 1)
  rows.forEach(({ area_m2 }, index) => {
    sums[index + 1] = (sums[index] ?? 0) + (area_m2 ?? 0)
  })
  return (path) => {
    const from = findStart(paths, path)
    // '0' follows '/'.
    const to = findStart(paths, `${path.slice(0, -1)}0`)
    return to > from ? (sums[to] ?? 0) - (sums[from] ?? 0) : undefined
  }
}
