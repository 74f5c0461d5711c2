import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../tables.ts'
import type { Database } from './database.pg.ts'

const QUERY_CANCELED = '57014'
const codeOf = z.object({ code: z.string() })
const SETTING = /^[a-z_]+$/
const VALUE = /^[a-z0-9]+$/

/** The start of the transaction as one text without parameters, so that it costs one round trip. */
function toBegin(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(([name, value]) => {
    if (!SETTING.test(name) || !VALUE.test(value)) throw new Error(`no setting: ${name} = ${value}`)
    return `; set local ${name} = ${value}`
  })
  return `begin read only${set.join('')}`
}

/**
 * Runs read-only statements with a limit of `limitMs` each. Resolves with undefined if one of them exceeds it. The
 * PostgreSQL `settings` apply to these statements only. JIT is off: compiling takes longer than the limit. Resolves
 * before the transaction ends, so that the caller does not wait for the rollback.
 */
export function withStatementTimeout<Result>(
  db: Database,
  limitMs: number,
  work: (db: Kysely<Tables>) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result | undefined> {
  const begin = toBegin({ jit: 'off', ...settings, statement_timeout: String(limitMs) })
  return new Promise((resolve, reject) => {
    db.connection()
      .execute(async (connection) => {
        await sql.raw(begin).execute(connection)
        try {
          resolve(await work(connection))
        } catch (error) {
          if (codeOf.safeParse(error).data?.code === QUERY_CANCELED) resolve(undefined)
          else reject(error)
        }
        await sql.raw('rollback').execute(connection)
      })
      .catch(reject)
  })
}

/** Limits the next statement to the part of `limitMs` that is left since the start of the transaction. */
export const setRemainingTimeout = (connection: Kysely<Tables>, limitMs: number): Promise<unknown> =>
  sql`select set_config('statement_timeout', ceil(greatest(1,
    ${limitMs}::int - 1000 * extract(epoch from clock_timestamp() - now())))::text, true)`.execute(connection)
