import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../tables.ts'
import type { Database } from './database.pg.ts'

const CUT_SHORT = '57014'
const codeOf = z.object({ code: z.string() })
const SETTING = /^[a-z_]+$/
const VALUE = /^[a-z0-9]+$/

/** One statement without parameters: PostgreSQL takes several of such at once, so that they cost one way. */
function toBeginning(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(([name, value]) => {
    if (!SETTING.test(name) || !VALUE.test(value)) throw new Error(`no setting: ${name} = ${value}`)
    return `; set local ${name} = ${value}`
  })
  return `begin read only${set.join('')}`
}

/**
 * Runs statements that change nothing, of which none may take longer than `limitMs`; undefined when one was cut
 * short. `settings` of PostgreSQL hold for these statements only. None is compiled first: that takes longer than one
 * may take. What was found is given before the transaction has ended, which nobody needs to wait for.
 */
export function withinTime<Result>(
  db: Database,
  limitMs: number,
  work: (db: Kysely<Tables>) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result | undefined> {
  const beginning = toBeginning({ jit: 'off', ...settings, statement_timeout: String(limitMs) })
  return new Promise((resolve, reject) => {
    db.connection()
      .execute(async (connection) => {
        await sql.raw(beginning).execute(connection)
        try {
          resolve(await work(connection))
        } catch (error) {
          if (codeOf.safeParse(error).data?.code === CUT_SHORT) resolve(undefined)
          else reject(error)
        }
        await sql.raw('rollback').execute(connection)
      })
      .catch(reject)
  })
}

/** Leaves to the next statement of a transaction what is left of `limitMs` since it began. */
export const spendRestOf = (connection: Kysely<Tables>, limitMs: number): Promise<unknown> =>
  sql`select set_config('statement_timeout', ceil(greatest(1,
    ${limitMs}::int - 1000 * extract(epoch from clock_timestamp() - now())))::text, true)`.execute(connection)
