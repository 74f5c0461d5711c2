import type { OutputOf } from '@isotherm/contract/endpoint'
import {
  type getOperations,
  MAX_LOG_ENTRIES,
  type OperationEntry,
} from '@isotherm/contract/endpoints/administration/operations'
import type { Limiter } from '@isotherm/contract/filter'
import type { LogInput } from './log-query.ts'

/** Rows of one call: the maximum of the server. */
const PAGE_ROWS = 1_000

type Search = (input: LogInput & { readonly limiter: Limiter }) => Promise<OutputOf<typeof getOperations>>

/** The server reached no older entry within its time limit. */
export class LogSearchStuck extends Error {}

/**
 * Every entry that a search matches, newest first. One search of the server ends at MAX_LOG_ENTRIES or at its time limit;
 * the next one continues before the oldest entry found.
 *
 * @throws {LogSearchStuck} if a search does not get any farther
 */
export async function loadWholeLog(
  search: Search,
  input: LogInput,
  now: number,
): Promise<readonly OperationEntry[]> {
  const entries = new Map<number, OperationEntry>()
  for (let to = input.to ?? now; ; ) {
    let last: OutputOf<typeof getOperations>
    let oldest = to
    let page = 1
    do {
      last = await search({ ...input, to, limiter: { page, size: PAGE_ROWS } })
      for (const entry of last.datalist) entries.set(entry.id, entry)
      oldest = last.datalist.at(-1)?.at ?? oldest
      page += 1
    } while ((page - 1) * PAGE_ROWS < last.total && last.datalist.length > 0)
    if (!last.hasMore) return [...entries.values()]
    // Further entries of the oldest instant may be missing, so it is searched again.
    const next = last.total >= MAX_LOG_ENTRIES ? oldest + 1 : last.searchedFrom
    if (next >= to) throw new LogSearchStuck()
    to = next
  }
}
