import type { ValveHold } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { holdKeys } from './hold-queries.ts'
import type { HoldEvent } from './lost-holds.ts'

/** The holds without the ended ones; the same list if none of them ended. */
function withoutEnded(holds: readonly ValveHold[], ended: ReadonlySet<number>): readonly ValveHold[] {
  const active = holds.filter(({ id }) => !ended.has(id))
  return active.length === holds.length ? holds : active
}

/** Removes ended holds from every cached list. For new holds it invalidates the lists, because only the server knows their place. */
export function applyHoldEvents(client: QueryClient, events: readonly HoldEvent[]): void {
  const ended = new Set(events.filter((each) => each.ended).map(({ hold }) => hold.id))
  if (ended.size > 0) {
    client.setQueriesData<readonly ValveHold[]>(
      { queryKey: holdKeys.all },
      (cached) => cached && withoutEnded(cached, ended),
    )
  }
  if (events.some((each) => !each.ended)) client.invalidateQueries({ queryKey: holdKeys.all })
}

/** The holds in force at `now` (Unix ms), by valve id. */
export const toHoldOf = (holds: readonly ValveHold[], now: number): ReadonlyMap<number, ValveHold> =>
  new Map(holds.filter(({ until }) => until > now).map((hold) => [hold.deviceId, hold]))
