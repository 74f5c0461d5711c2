import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type EntityChange,
  type getEntityHistory,
  type getOperations,
  MAX_LOG_DAYS,
  MAX_LOG_ENTRIES,
  type OperationChange,
  type OperationEntry,
} from '@isotherm/contract/endpoints/administration/operations'
import { DAY_MS } from '@isotherm/kernel/durations'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { withStatementTimeout } from '../../../platform/postgres/statement-timeout.pg.ts'
import type { NetworkService } from '../../network/index.ts'
import { type LogQuery, toLogConditions } from './log-conditions.pg.ts'
import { findLogView, type LogView } from './log-visible.pg.ts'
import { splitBackwards, type TimeRange } from './log-windows.ts'

const DEFAULT_DAYS = 7
/** Maximum number of changes listed for one entry. */
const MAX_CHANGES = 50
/** Time limit of a search, ms. After it the search answers with the entries found so far. */
const SEARCH_MS = 3_000
/** Time limit for reading the entries of a page, ms. */
const READ_MS = 5_000

interface LogDependencies {
  readonly db: Database
  readonly clock: Pick<Clock, 'now' | 'elapsed'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** Retention of entries, days; 0: forever. */
  readonly retentionDays: number
  /** Time limit of a search, ms; for tests. */
  readonly searchMs?: number
}

interface Findings {
  readonly ids: readonly number[]
  /** Whether the range has more matches than were read. */
  readonly isIncomplete: boolean
  readonly searchedFrom: number
}

function toRange({ from, to }: LogQuery, now: number): TimeRange {
  const end = to ?? now + 1
  const start = from ?? Math.max(0, end - DEFAULT_DAYS * DAY_MS)
  if (end - start > MAX_LOG_DAYS * DAY_MS) {
    throw new AppError('history.range-too-large', { maxDays: MAX_LOG_DAYS })
  }
  return { from: start, to: end }
}

/** The statement of one search step: reads a piece of the range by an index, newest first, up to the limit. */
export const toSearchStep = (
  { from, to }: TimeRange,
  conditions: RawBuilder<SqlBool>,
  limit: number,
): RawBuilder<{ id: number }> => sql<{ id: number }>`
  select operation.id from operation
  where operation.at >= ${new Date(from)} and operation.at < ${new Date(to)} and ${conditions}
  order by operation.at desc, operation.id desc limit ${limit}`

/** Searches the range backwards piece by piece, up to the limit of entries or of time. */
async function findIds(
  { db, clock, searchMs = SEARCH_MS }: LogDependencies,
  range: TimeRange,
  conditions: RawBuilder<SqlBool>,
): Promise<Findings> {
  const until = clock.elapsed() + searchMs
  const ids: number[] = []
  let searchedFrom = range.to
  for (const piece of splitBackwards(range)) {
    const leftMs = until - clock.elapsed()
    const step = toSearchStep(piece, conditions, MAX_LOG_ENTRIES + 1 - ids.length)
    const rows =
      leftMs > 0
        ? await withStatementTimeout(db, Math.ceil(leftMs), async (tx) => (await step.execute(tx)).rows)
        : undefined
    if (!rows) return { ids, isIncomplete: true, searchedFrom }
    ids.push(...rows.map(({ id }) => id))
    if (ids.length > MAX_LOG_ENTRIES) {
      return { ids: ids.slice(0, MAX_LOG_ENTRIES), isIncomplete: true, searchedFrom: piece.from }
    }
    searchedFrom = piece.from
  }
  return { ids, isIncomplete: false, searchedFrom }
}

interface EntryRow {
  readonly id: number
  readonly at: Date
  readonly account: string
  readonly endpoint: string
  readonly result: string
  readonly address: string
  readonly requestId: string
  readonly input: unknown
  readonly whole: boolean
  readonly changes: OperationChange[]
}

function toEntry({ address, requestId, input, changes, at, ...row }: EntryRow): OperationEntry {
  return {
    ...row,
    at: at.getTime(),
    ...(row.whole ? { address, requestId, input } : {}),
    changes: changes.slice(0, MAX_CHANGES),
    hasMoreChanges: changes.length > MAX_CHANGES,
  }
}

/** Columns of a change under their names in the contract. */
const changeColumns = sql`change.entity, change.entity_id as "entityId", change.version, change.action,
  change.before, change.after`

async function readEntries(db: Database, ids: readonly number[], view: LogView): Promise<OperationEntry[]> {
  const rows = await withStatementTimeout(db, READ_MS, async (transaction) => {
    const found = await sql<EntryRow>`
      select operation.id, operation.at, operation.account, operation.endpoint, operation.result,
        operation.address, operation.request_id as "requestId", operation.input,
        coalesce(${view.whole}, false) as whole,
        (select coalesce(jsonb_agg(shown), '[]') from (
          select ${changeColumns} from operation_change change
          where change.operation_id = operation.id and ${view.change}
          order by change.id limit ${MAX_CHANGES + 1}) shown) as changes
      from operation where operation.id = any(${[...ids]}::bigint[])
      order by operation.at desc, operation.id desc`.execute(transaction)
    return found.rows
  })
  if (!rows) throw new AppError('server.unavailable')
  return rows.map(toEntry)
}

interface HistoryRow extends Omit<EntityChange, 'at'> {
  readonly at: Date
}

/** Reads the operation log, limited to the part that the caller may see. */
export const createOperationLog = (dependencies: LogDependencies) => ({
  /** Entries within a range of time, newest first. */
  async search(caller: Caller, query: LogQuery): Promise<OutputOf<typeof getOperations>> {
    const { db, clock, network } = dependencies
    const range = toRange(query, clock.now())
    const view = await findLogView(db, caller)
    const paths =
      query.node === undefined ? undefined : await network.resolveNodes(caller.scope, [query.node])
    const conditions = await toLogConditions(db, query, view, paths)
    const { ids, isIncomplete, searchedFrom } = await findIds(dependencies, range, conditions)
    const start = toOffset(query.limiter)
    const datalist = await readEntries(db, ids.slice(start, start + query.limiter.size), view)
    const { retentionDays } = dependencies
    return { datalist, total: ids.length, hasMore: isIncomplete, searchedFrom, retentionDays }
  },

  /** Changes of one entity, newest first. */
  async listHistory(
    caller: Caller,
    { entity, entityId, limiter }: InputOf<typeof getEntityHistory>,
  ): Promise<OutputOf<typeof getEntityHistory>> {
    const view = await findLogView(dependencies.db, caller)
    const matching = sql`
      operation_change change join operation on operation.id = change.operation_id
      where change.entity = ${entity} and change.entity_id = ${entityId} and ${view.change}`
    const page = await withStatementTimeout(dependencies.db, READ_MS, async (transaction) => {
      const { rows } = await sql<HistoryRow>`
        select ${changeColumns}, change.operation_id as "operationId", operation.at, operation.account,
          operation.endpoint
        from ${matching} order by change.id desc
        limit ${limiter.size} offset ${toOffset(limiter)}`.execute(transaction)
      const counted = await sql<{ total: number }>`
        select count(*) as total from (
          select from ${matching} limit ${MAX_LOG_ENTRIES}) counted`.execute(transaction)
      return { rows, total: counted.rows[0]?.total ?? 0 }
    })
    if (!page) throw new AppError('server.unavailable')
    const datalist = page.rows.map((row) => ({ ...row, at: row.at.getTime() }))
    return { datalist, total: page.total }
  },
})
