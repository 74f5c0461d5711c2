import pg from 'pg'
import { z } from 'zod'

/** Direct access to the server's database. */
export interface PlainSql {
  /** Rows of a statement, each parsed by `schema`. */
  rows<Row>(schema: z.ZodType<Row>, statement: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Time of a statement until all rows are received, ms. */
  time(statement: string, values?: readonly unknown[]): Promise<number>
  /** Time of a statement in a transaction that is rolled back, ms. */
  timeAndUndo(statement: string, values: readonly unknown[]): Promise<number>
  close(): Promise<void>
}

export async function openPlainSql(url: string): Promise<PlainSql> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const run = (statement: string, values: readonly unknown[] = []) => client.query(statement, [...values])
  async function timed(statement: string, values: readonly unknown[] = []): Promise<number> {
    const started = performance.now()
    await run(statement, values)
    return performance.now() - started
  }
  return {
    async rows(schema, statement, values) {
      return z.array(schema).parse((await run(statement, values)).rows)
    },
    time: timed,
    async timeAndUndo(statement, values) {
      await run('begin')
      try {
        return await timed(statement, values)
      } finally {
        await run('rollback')
      }
    },
    close: () => client.end(),
  }
}
