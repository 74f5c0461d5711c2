import type { FilterItem } from '@isotherm/contract/filter'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { currentCaller } from '../tasks/current-caller.ts'
import { createCallerGate } from '../tasks/turns/caller-gate.ts'
import type { Database } from './database.pg.ts'

/** A prefix of letters, digits and commas up to the end or a comma, as the tree uses it. It always runs fast. */
const PLAIN_PREFIX = /^\^[0-9A-Za-z,]*(?:\(,\|\$\))?$/

const isRisky = (item: FilterItem): boolean =>
  item.cond === 'regex' && !PLAIN_PREFIX.test(String(item.vrex ?? item.vstd ?? ''))

const PATTERN_LIMIT_MS = 2_000
/** Maximum number of connections that queries with patterns use at once. */
const PATTERNS_AT_ONCE = 3
/** Maximum number of queries with patterns of one caller that wait. */
const MAX_WAITING_PATTERNS = 8
const patternGate = createCallerGate({
  running: PATTERNS_AT_ONCE,
  runningPerCaller: 1,
  waiting: MAX_WAITING_PATTERNS,
})
const INVALID_PATTERN = '2201B'
const QUERY_CANCELED = '57014'
const codeOf = z.object({ code: z.string() })

/**
 * Lists at once in this process, and those of one caller. Each uses up to two connections of the pool; a text that few rows contain, or
 * a page far behind, may keep them until the time limit of a statement.
 */
const listGate = createCallerGate({ running: 8, runningPerCaller: 3, waiting: 100 })

/**
 * Runs the queries of a list when it is its caller's turn; those of the server's own work at once. Throws request.too-many beyond a
 * hundred waiting lists of one caller.
 */
export const takeListTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
  currentCaller() === '' ? work() : listGate(work)

/**
 * Runs the queries of a list with a filter from a caller when it is the caller's turn. Those with patterns have a limit of 2 s each: a
 * malicious pattern could run forever. At most three of them run at once in this process, one of each caller.
 * Throws request.too-many beyond eight waiting queries with patterns of one caller or a hundred other lists, and filter.bad-pattern for a
 * pattern that is invalid or takes too long.
 */
export async function withListLimits<Result>(
  db: Database,
  filter: readonly FilterItem[],
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const pattern = filter.find(isRisky)
  // A transaction has its connection already.
  if (!pattern) return db.isTransaction ? work(db) : takeListTurn(() => work(db))
  try {
    return await patternGate(() =>
      db.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = ${sql.lit(PATTERN_LIMIT_MS)}`.execute(transaction)
        return work(transaction)
      }),
    )
  } catch (error) {
    const known = codeOf.safeParse(error)
    if (known.success && [INVALID_PATTERN, QUERY_CANCELED].includes(known.data.code)) {
      throw new AppError('filter.bad-pattern', { field: pattern.field }, { cause: error })
    }
    throw error
  }
}
