import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from './database.pg.ts'
import { startEmptyDatabase } from './empty-database.testkit.ts'
import { withStatementTimeout } from './statement-timeout.pg.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await startEmptyDatabase())
})
afterAll(() => close())

const show = (name: string) => sql<{ value: string }>`select current_setting(${name}) as value`

test('a statement over the limit is cancelled and gives undefined', async () => {
  expect(
    await withStatementTimeout(db, 50, (bounded) => sql`select pg_sleep(20)`.execute(bounded)),
  ).toBeUndefined()
})

test('settings apply to the statements only', async () => {
  const within = await withStatementTimeout(
    db,
    5_000,
    (bounded) => show('join_collapse_limit').execute(bounded),
    {
      join_collapse_limit: '1',
    },
  )
  expect(within?.rows).toEqual([{ value: '1' }])
  expect((await show('join_collapse_limit').execute(db)).rows).not.toEqual([{ value: '1' }])
})

test('a statement is never JIT-compiled, whatever the server prefers', async () => {
  await db.transaction().execute(async (transaction) => {
    await sql`set jit = on`.execute(transaction)
  })
  expect((await withStatementTimeout(db, 5_000, (bounded) => show('jit').execute(bounded)))?.rows).toEqual([
    { value: 'off' },
  ])
})

test('any other failure rejects', async () => {
  await expect(
    withStatementTimeout(db, 5_000, (bounded) => sql`select 1/0`.execute(bounded)),
  ).rejects.toThrow('division by zero')
})
