import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { openDatabase } from './dump-database.pg.ts'
import { UNFINISHED_RESTORE } from './unfinished-table.pg.ts'

/** The database of a URL without its password; the address of an embedded engine differs at each start. */
const toIdentity = (clickhouseUrl: string): string => {
  const { host, pathname, searchParams } = new URL(clickhouseUrl)
  return `${host}${pathname} ${searchParams.get('database') ?? ''}`
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openDatabase(databaseUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
type Client = Awaited<ReturnType<typeof openDatabase>>

/**
 * Does the work while no other restore into this database runs. PostgreSQL releases the lock when this process is gone.
 * Throws BackupError if one runs.
 */
export const withRestoreLock = <T>(databaseUrl: string, work: () => Promise<T>): Promise<T> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("select pg_try_advisory_lock(hashtext('isotherm restore')) as locked")
    if (z.object({ locked: z.boolean() }).parse(rows[0]).locked) return work()
    throw new BackupError('another restore into this database runs; nothing was changed')
  })

/** Marks both stores, which are empty: until the mark is removed, everything in them is of this restore. */
export const markUnfinished = (databaseUrl: string, clickhouseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`create table ${UNFINISHED_RESTORE} as select $1::text as clickhouse`, [
      toIdentity(clickhouseUrl),
    ])
  })

export const unmarkUnfinished = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`drop table ${UNFINISHED_RESTORE}`)
  })

/** Finds the mark of a killed restore: it names the stores that may be emptied. */
export const findUnfinished = (
  databaseUrl: string,
  clickhouseUrl: string,
): Promise<{ readonly database: boolean; readonly readings: boolean }> =>
  withClient(databaseUrl, async (client) => {
    const found = await client.query(`select to_regclass('${UNFINISHED_RESTORE}') is not null as found`)
    if (!z.object({ found: z.boolean() }).parse(found.rows[0]).found)
      return { database: false, readings: false }
    const { rows } = await client.query(`select clickhouse from ${UNFINISHED_RESTORE}`)
    const [mark] = z.array(z.object({ clickhouse: z.string() })).parse(rows)
    return { database: true, readings: mark?.clickhouse === toIdentity(clickhouseUrl) }
  })
