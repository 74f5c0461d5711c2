import { type Insertable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import type { Database } from '../postgres/database.pg.ts'
import { toStorableJson } from '../postgres/storable-json.ts'
import type { Tables } from '../tables.ts'
import type { Operation, OperationResult } from './operation.ts'
import type { OperationTable } from './tables.ts'

const toRow = (operation: Operation, result: OperationResult): Insertable<OperationTable> => ({
  at: new Date(operation.at),
  account_id: operation.accountId ?? null,
  account: operation.account,
  company_id: operation.companyId ?? null,
  endpoint: operation.endpoint,
  address: operation.address,
  request_id: operation.requestId,
  result,
  input: toStorableJson(operation.input ?? {}),
})

/** Records an operation that changed no entity, or failed, in the log. */
export async function recordOperation(
  db: Database,
  operation: Operation,
  result: OperationResult,
): Promise<void> {
  await db.insertInto('operation').values(toRow(operation, result)).execute()
  operation.isRecorded = true
}

/** A deadlock or serialization failure. PostgreSQL aborts one transaction, which succeeds once the other has ended. */
const conflict = z.object({ code: z.enum(['40P01', '40001']) })

const TRIES = 3
/** Pause before a retry. Without it the retry may take its locks before the other transaction and conflict again. */
const PAUSE_MS = 50

const pause = (forMs: number): Promise<void> =>
  new Promise((resolve) => systemClock.setTimeout(resolve, forMs))

/** Runs `work` in a transaction and retries it after a conflict, so it must change nothing but the database. */
async function transact<Result>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (tries === TRIES || !conflict.safeParse(error).success) throw error
      await pause(PAUSE_MS * tries)
    }
  }
}

/**
 * Runs a change in one transaction together with its record in the operation log. Every change of an entity uses this;
 * triggers of its table record the fields before and after. `work` is retried after a deadlock, so it must change
 * nothing outside the transaction. `outcome`: the error code of a call that is refused although its changes stay.
 */
export async function operate<Result>(
  db: Database,
  operation: Operation,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  outcome: OperationResult = 'ok',
): Promise<Result> {
  const result = await transact(db, async (transaction) => {
    const { id } = await transaction
      .insertInto('operation')
      .values(toRow(operation, outcome))
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`select set_config('isotherm.operation', ${String(id)}, true)`.execute(transaction)
    return work(transaction)
  })
  operation.isRecorded = true
  return result
}

/**
 * Continues an operation that is already in the log, in a transaction of its own. For operations that are too long for
 * one transaction and whose parts are valid by themselves.
 */
export const operateFurther = <Result>(
  db: Database,
  operationId: number,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  transact(db, async (transaction) => {
    await sql`select set_config('isotherm.operation', ${String(operationId)}, true)`.execute(transaction)
    return work(transaction)
  })
