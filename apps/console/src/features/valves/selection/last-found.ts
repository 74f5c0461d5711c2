import type { Device } from '@isotherm/contract/devices'

/** The last search result: the valves and the ids that were searched. */
export interface LastFound {
  readonly ids: readonly number[]
  readonly found: readonly Device[]
}

const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left === right || (left.length === right.length && left.every((id, at) => id === right[at]))

/**
 * The last result, updated by a new one. While the same ids are searched again (`found` is undefined), the last result
 * stays, so that a half-filled order form stays too.
 */
export function updateLastFound(
  last: LastFound | undefined,
  ids: readonly number[],
  found: readonly Device[] | undefined,
): LastFound | undefined {
  const same = last && isSame(last.ids, ids) ? last : undefined
  if (found === undefined || found === same?.found) return same
  return { ids, found }
}
