import { DAY_MS } from '@isotherm/kernel/durations'

/** Tables in months, by what they hold. */
export type KeptLevel = 'readings' | 'hours' | 'days' | 'raw'

/** Days for which each level is kept; 0 for ever. */
export type KeptDays = Readonly<Record<KeptLevel, number>>

/** What is kept of a level, by month. */
export interface RetentionStore {
  /** Months there is something of, as 202611. */
  listMonths(level: KeptLevel): Promise<readonly number[]>
  /** Drops all of a month at once. */
  dropMonth(level: KeptLevel, month: number): Promise<void>
}

/** First month that is kept whole, as 202611. */
function toFirstMonth(days: number, nowMs: number): number {
  const since = new Date(nowMs - days * DAY_MS)
  return since.getUTCFullYear() * 100 + since.getUTCMonth() + 1
}

/** Beginning of the first month of which the readings are whole, Unix ms. */
export function toKeptSince(days: number, nowMs: number): number {
  if (days === 0) return 0
  const month = toFirstMonth(days, nowMs)
  return Date.UTC(Math.floor(month / 100), (month % 100) - 1)
}

/** Drops the months all of whose days are older than they are kept. Says which. */
export async function dropExpired(
  store: RetentionStore,
  kept: KeptDays,
  nowMs: number,
): Promise<readonly { readonly level: KeptLevel; readonly month: number }[]> {
  const dropped: { level: KeptLevel; month: number }[] = []
  for (const level of ['readings', 'hours', 'days', 'raw'] as const) {
    if (kept[level] === 0) continue
    const first = toFirstMonth(kept[level], nowMs)
    for (const month of await store.listMonths(level)) {
      if (month >= first) continue
      await store.dropMonth(level, month)
      dropped.push({ level, month })
    }
  }
  return dropped
}
