import type { ValveHold } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { holdKeys } from './hold-queries.ts'
import type { HoldNews } from './lost-holds.ts'

/** Holds without those that ended; the same list when none of it did. */
function withoutEnded(holds: readonly ValveHold[], ended: ReadonlySet<number>): readonly ValveHold[] {
  const standing = holds.filter(({ id }) => !ended.has(id))
  return standing.length === holds.length ? holds : standing
}

/** Takes what ended out of every list at once; what began is asked for, since only the server knows where it belongs. */
export function applyHoldNews(client: QueryClient, news: readonly HoldNews[]): void {
  const ended = new Set(news.filter((each) => each.ended).map(({ hold }) => hold.id))
  if (ended.size > 0) {
    client.setQueriesData<readonly ValveHold[]>(
      { queryKey: holdKeys.all },
      (held) => held && withoutEnded(held, ended),
    )
  }
  if (news.some((each) => !each.ended)) client.invalidateQueries({ queryKey: holdKeys.all })
}

/** Valves that are held at `now` (Unix ms), by their id: a hold whose time is up stands no more. */
export const toHoldOf = (holds: readonly ValveHold[], now: number): ReadonlyMap<number, ValveHold> =>
  new Map(holds.filter(({ until }) => until > now).map((hold) => [hold.deviceId, hold]))
