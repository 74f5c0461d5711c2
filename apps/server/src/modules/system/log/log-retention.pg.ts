import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { recordOperation } from '../../../platform/operation/operate.pg.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type PollLoop, startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { repeatUntilDone } from '../../../platform/tasks/repeat-until-done.ts'

interface LogRetentionDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** 0 retains entries forever. */
  readonly retentionDays: number
}

/** Maximum number of entries that one step reads, and of changes that it deletes: few, so that no other transaction waits noticeably. */
const ROWS_PER_STEP = 1_000

/** Name of the operation that the log contains instead of deleted entries. */
const OPERATION = 'log-retention'

/** Deletes some of the entries from before an instant, with their changes. Returns ROWS_PER_STEP if there may be more. */
const deleteStep = (db: Database, before: Date): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      select id from operation where at < ${before} order by at, id
      limit ${ROWS_PER_STEP} for update skip locked`.execute(transaction)
    const ids = rows.map(({ id }) => id)
    // An import has a change for each of its rows, so the changes of one entry may take several steps.
    const { numAffectedRows = 0n } = await sql`
      delete from operation_change where id = any(array(
        select id from operation_change where operation_id = any(${ids}::bigint[])
        limit ${ROWS_PER_STEP}))`.execute(transaction)
    if (Number(numAffectedRows) === ROWS_PER_STEP) return ROWS_PER_STEP
    await sql`delete from operation where id = any(${ids}::bigint[])`.execute(transaction)
    return ids.length
  })

/** Records in the log that its entries from before an instant are deleted; once, also by several servers. */
async function recordDeletion(db: Database, before: Date, now: number): Promise<void> {
  const day = before.toISOString().slice(0, 10)
  const { rows } = await sql`
    select from operation where endpoint = ${OPERATION} and at >= ${new Date(now - 2 * DAY_MS)}
      and input ->> 'before' = ${day}`.execute(db)
  if (rows.length > 0) return
  await recordOperation(db, { ...toSystemOperation(OPERATION, now), input: { before: day } }, 'ok')
}

/** Deletes the entries of the operation log that are past their retention, in whole days (UTC), checked every hour. */
export function createLogRetention({ db, clock, log, retentionDays }: LogRetentionDependencies) {
  let loop: PollLoop | undefined
  let isClosed = false

  async function deleteOld(): Promise<void> {
    const now = clock.now()
    const end = now - retentionDays * DAY_MS
    const before = new Date(end - (end % DAY_MS))
    const { rows } = await sql`select from operation where at < ${before} limit 1`.execute(db)
    if (rows.length === 0) return
    await recordDeletion(db, before, now)
    await repeatUntilDone(() => deleteStep(db, before), {
      batchSize: ROWS_PER_STEP,
      isStopped: () => isClosed,
    })
    log.info({ before }, 'deleted entries of the operation log past their retention')
  }

  return {
    start() {
      if (retentionDays === 0) return
      loop = startPollLoop({
        clock,
        pauseMs: HOUR_MS,
        work: deleteOld,
        onError: (error) => log.warn({ err: error }, 'could not delete old entries of the operation log'),
      })
    },
    async close(): Promise<void> {
      isClosed = true
      await loop?.close()
    },
  }
}
