import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from './database.pg.ts'
import { startEmptyDatabase } from './empty-database.testkit.ts'
import { withinTime } from './statement-timeout.pg.ts'

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await startEmptyDatabase())
})
afterAll(() => close())

const show = (name: string) => sql<{ value: string }>`select current_setting(${name}) as value`

test('what takes too long is cut short and gives nothing', async () => {
  expect(await withinTime(db, 50, (bounded) => sql`select pg_sleep(20)`.execute(bounded))).toBeUndefined()
})

test('settings hold for the statements only', async () => {
  const within = await withinTime(db, 5_000, (bounded) => show('join_collapse_limit').execute(bounded), {
    join_collapse_limit: '1',
  })
  expect(within?.rows).toEqual([{ value: '1' }])
  expect((await show('join_collapse_limit').execute(db)).rows).not.toEqual([{ value: '1' }])
})

test('a statement is never compiled before it runs, whatever the server prefers', async () => {
  await db.transaction().execute(async (transaction) => {
    await sql`set jit = on`.execute(transaction)
  })
  expect((await withinTime(db, 5_000, (bounded) => show('jit').execute(bounded)))?.rows).toEqual([
    { value: 'off' },
  ])
})

test('any other failure stays one', async () => {
  await expect(withinTime(db, 5_000, (bounded) => sql`select 1/0`.execute(bounded))).rejects.toThrow(
    'division by zero',
  )
})
