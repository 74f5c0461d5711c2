import { type Insertable, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import type { Database } from '../postgres/database.pg.ts'
import type { Tables } from '../tables.ts'
import type { Operation, OperationResult } from './operation.ts'
import type { OperationTable } from './tables.ts'

/** A text as JSON of the database takes it: neither with a NUL nor with half a character, which nobody reads. */
const toStorable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/** Makes all texts in a value storable, names of fields too. */
const toJson = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === 'string') return toStorable(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [toStorable(name), field]))
  })

const toRow = (operation: Operation, result: OperationResult): Insertable<OperationTable> => ({
  at: new Date(operation.at),
  account_id: operation.accountId ?? null,
  account: operation.account,
  company_id: operation.companyId ?? null,
  endpoint: operation.endpoint,
  address: operation.address,
  request_id: operation.requestId,
  result,
  input: toJson(operation.input ?? {}),
})

/** Puts an operation that changed no entity, or failed, into the log. */
export async function noteOperation(
  db: Database,
  operation: Operation,
  result: OperationResult,
): Promise<void> {
  await db.insertInto('operation').values(toRow(operation, result)).execute()
  operation.isNoted = true
}

/** Two that wait for each other: PostgreSQL ends one of them, which goes through once the other is done. */
const crossed = z.object({ code: z.enum(['40P01', '40001']) })

const TRIES = 3
/** Begun again at once, it may take what it let go of before the other does, and cross it once more. */
const PAUSE_MS = 50

const pause = (forMs: number): Promise<void> =>
  new Promise((resolve) => systemClock.setTimeout(resolve, forMs))

/** Does the work in a transaction, and anew when it crossed another: so it changes nothing but the database. */
async function transact<Result>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (tries === TRIES || !crossed.safeParse(error).success) throw error
      await pause(PAUSE_MS * tries)
    }
  }
}

/**
 * Does a change: everything in one transaction together with its note in the operation log, or nothing. Every
 * change of an entity goes this way; the triggers of its table note what it was before and after. `work` is done
 * anew when it crossed another change (a deadlock), so it keeps nothing outside the transaction.
 */
export async function operate<Result>(
  db: Database,
  operation: Operation,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const result = await transact(db, async (transaction) => {
    const { id } = await transaction
      .insertInto('operation')
      .values(toRow(operation, 'ok'))
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`select set_config('isotherm.operation', ${String(id)}, true)`.execute(transaction)
    return work(transaction)
  })
  operation.isNoted = true
  return result
}

/**
 * Goes on with an operation that is in the log already: everything in one transaction, or nothing. For what takes
 * too long for one, whose parts each stand by themselves.
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
