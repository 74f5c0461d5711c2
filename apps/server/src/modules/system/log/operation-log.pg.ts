import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import {
  type EntityChange,
  type getEntityHistory,
  type getOperations,
  MOST_LOG_DAYS,
  MOST_LOG_ENTRIES,
  type OperationChange,
  type OperationEntry,
} from '@isotherm/contract/endpoints/operations'
import { DAY_MS } from '@isotherm/kernel/durations'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { withinTime } from '../../../platform/postgres/statement-timeout.pg.ts'
import type { NetworkService } from '../../network/index.ts'
import { type LogQuery, toLogConditions } from './log-conditions.pg.ts'
import { findLogView, type LogView } from './log-visible.pg.ts'
import { splitBackwards, type TimeRange } from './log-windows.ts'

const DEFAULT_DAYS = 7
/** Changes shown of an entry. */
const MOST_CHANGES = 50
/** How long a search goes back before it answers with what it has, ms. */
const SEARCH_MS = 3_000
/** How long the entries of a page may take to be read, ms. */
const READ_MS = 5_000

interface LogNeeds {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** For tests, which must not depend on how busy a machine is. */
  readonly searchMs?: number
}

interface Findings {
  readonly ids: readonly number[]
  /** Whether there are more in the range than were looked for. */
  readonly isCut: boolean
  readonly searchedFrom: number
}

function toRange({ from, to }: LogQuery, now: number): TimeRange {
  const end = to ?? now + 1
  const start = from ?? end - DEFAULT_DAYS * DAY_MS
  if (end - start > MOST_LOG_DAYS * DAY_MS) {
    throw new AppError('history.range-too-large', { maxDays: MOST_LOG_DAYS })
  }
  return { from: start, to: end }
}

/** The statement of one step of a search: a piece of the range by an index, newest first, and no more than wanted. */
export const toSearchStep = (
  { from, to }: TimeRange,
  conditions: RawBuilder<SqlBool>,
  limit: number,
): RawBuilder<{ id: number }> => sql<{ id: number }>`
  select operation.id from operation
  where operation.at >= ${new Date(from)} and operation.at < ${new Date(to)} and ${conditions}
  order by operation.at desc, operation.id desc limit ${limit}`

/** Goes back through the range piece by piece until it has enough, is through, or has taken long enough. */
async function findIds(
  { db, clock, searchMs = SEARCH_MS }: LogNeeds,
  range: TimeRange,
  conditions: RawBuilder<SqlBool>,
): Promise<Findings> {
  const until = clock.now() + searchMs
  const ids: number[] = []
  let searchedFrom = range.to
  for (const piece of splitBackwards(range)) {
    const leftMs = until - clock.now()
    const step = toSearchStep(piece, conditions, MOST_LOG_ENTRIES + 1 - ids.length)
    const rows =
      leftMs > 0 ? await withinTime(db, leftMs, async (tx) => (await step.execute(tx)).rows) : undefined
    if (!rows) return { ids, isCut: true, searchedFrom }
    ids.push(...rows.map(({ id }) => id))
    if (ids.length > MOST_LOG_ENTRIES) {
      return { ids: ids.slice(0, MOST_LOG_ENTRIES), isCut: true, searchedFrom: piece.from }
    }
    searchedFrom = piece.from
  }
  return { ids, isCut: false, searchedFrom }
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
    changes: changes.slice(0, MOST_CHANGES),
    hasMoreChanges: changes.length > MOST_CHANGES,
  }
}

/** Values of a change as the contract names them. */
const changeColumns = sql`change.entity, change.entity_id as "entityId", change.version, change.action,
  change.before, change.after`

async function readEntries(db: Database, ids: readonly number[], view: LogView): Promise<OperationEntry[]> {
  const rows = await withinTime(db, READ_MS, async (transaction) => {
    const found = await sql<EntryRow>`
      select operation.id, operation.at, operation.account, operation.endpoint, operation.result,
        operation.address, operation.request_id as "requestId", operation.input, ${view.whole} as whole,
        (select coalesce(jsonb_agg(shown), '[]') from (
          select ${changeColumns} from operation_change change
          where change.operation_id = operation.id and ${view.change}
          order by change.id limit ${MOST_CHANGES + 1}) shown) as changes
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

/** The operation log, as far as a caller may see it. */
export const createOperationLog = (needs: LogNeeds) => ({
  /** Entries within a range of time, newest first. */
  async search(caller: Caller, query: LogQuery): Promise<OutputOf<typeof getOperations>> {
    const { db, clock, network } = needs
    const range = toRange(query, clock.now())
    const view = await findLogView(db, caller)
    const paths =
      query.node === undefined ? undefined : await network.resolveNodes(caller.scope, [query.node])
    const conditions = await toLogConditions(db, query, view, paths)
    const { ids, isCut, searchedFrom } = await findIds(needs, range, conditions)
    const start = toOffset(query.limiter)
    const datalist = await readEntries(db, ids.slice(start, start + query.limiter.size), view)
    return { datalist, total: ids.length, hasMore: isCut, searchedFrom }
  },

  /** Changes of one entity, newest first. */
  async listHistory(
    caller: Caller,
    { entity, entityId, limiter }: InputOf<typeof getEntityHistory>,
  ): Promise<OutputOf<typeof getEntityHistory>> {
    const view = await findLogView(needs.db, caller)
    const matching = sql`
      operation_change change join operation on operation.id = change.operation_id
      where change.entity = ${entity} and change.entity_id = ${entityId} and ${view.change}`
    const page = await withinTime(needs.db, READ_MS, async (transaction) => {
      const { rows } = await sql<HistoryRow>`
        select ${changeColumns}, change.operation_id as "operationId", operation.at, operation.account,
          operation.endpoint
        from ${matching} order by change.id desc
        limit ${limiter.size} offset ${toOffset(limiter)}`.execute(transaction)
      const counted = await sql<{ total: number }>`
        select count(*) as total from (
          select from ${matching} limit ${MOST_LOG_ENTRIES}) counted`.execute(transaction)
      return { rows, total: counted.rows[0]?.total ?? 0 }
    })
    if (!page) throw new AppError('server.unavailable')
    const datalist = page.rows.map((row) => ({ ...row, at: row.at.getTime() }))
    return { datalist, total: page.total }
  },
})
