import type { Device } from '@isotherm/contract/devices'

/** The valves that were found last, and the ids they were looked for by. */
export interface KeptFound {
  readonly ids: readonly number[]
  readonly found: readonly Device[]
}

const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left === right || (left.length === right.length && left.every((id, at) => id === right[at]))

/**
 * What was found stands until it is found anew, as long as the same ids are asked for: who fills in an order does not
 * lose it because the valves are looked for elsewhere. `found` is absent while they are looked for.
 */
export function keepFound(
  kept: KeptFound | undefined,
  ids: readonly number[],
  found: readonly Device[] | undefined,
): KeptFound | undefined {
  const same = kept && isSame(kept.ids, ids) ? kept : undefined
  if (found === undefined || found === same?.found) return same
  return { ids, found }
}
