import { type RawBuilder, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from './database.pg.ts'
import type { Tables } from './tables.ts'

const CUT_SHORT = '57014'
const codeOf = z.object({ code: z.string() })

/**
 * Runs statements of which none may take longer than `limitMs`; undefined when one was cut short. `settings`
 * of PostgreSQL hold for these statements only. None is compiled first: that takes longer than one may take.
 */
export async function withinTime<Result>(
  db: Database,
  limitMs: number,
  work: (db: Transaction<Tables>) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result | undefined> {
  const given = Object.entries({ jit: 'off', ...settings, statement_timeout: String(limitMs) })
  const set: RawBuilder<unknown>[] = given.map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`select ${sql.join(set)}`.execute(transaction)
      return work(transaction)
    })
  } catch (error) {
    if (codeOf.safeParse(error).data?.code === CUT_SHORT) return undefined
    throw error
  }
}

/** Leaves to the next statement of a transaction what is left of `limitMs` since it began. */
export const spendRestOf = (transaction: Transaction<Tables>, limitMs: number): Promise<unknown> =>
  sql`select set_config('statement_timeout', ceil(greatest(1,
    ${limitMs}::int - 1000 * extract(epoch from clock_timestamp() - now())))::text, true)`.execute(
    transaction,
  )
