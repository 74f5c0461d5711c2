import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Calendar } from '../calendar/calendar-sql.ch.ts'
import { createLocalDays } from '../calendar/local-days.ts'
import { readBuckets } from './buckets.ch.ts'
import { readCurves } from './curves.ch.ts'
import type { HistoryStore } from './history-store.ts'
import { createRows } from './rows.ch.ts'
import { readSpread } from './spread.ch.ts'

/** History in ClickHouse. `closedMs`: end of the rollups, Unix ms. */
export function createHistoryStore(
  client: ClickHouseClient,
  calendar: Calendar,
  closedMs: () => number | undefined,
): HistoryStore {
  const rows = createRows(client)
  const days = createLocalDays(calendar.zone)
  return {
    readCurves: (query) => readCurves(rows, query, closedMs(), days),
    readBuckets: (query) => readBuckets(rows, query, closedMs(), days, calendar),
    readSpread: (query) => readSpread(rows, query, days, calendar),
  }
}
