import { toOperationText } from '@isotherm/contract/locales/operation-text'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestSystem, type TestSystem } from '../system.testkit.ts'
import { createLogRetention } from './log-retention.pg.ts'

let fixture: TestSystem
let retention: ReturnType<typeof createLogRetention>

/** As a server starts it. */
const createRetention = (retentionDays: number) => createLogRetention({ ...fixture, retentionDays })

beforeAll(async () => {
  fixture = await openTestSystem()
})
afterAll(() => fixture.close())
beforeEach(() => {
  retention = createRetention(200)
})
afterEach(() => retention.close())

/** Adds entries of an age, each with changes. */
const addEntries = (name: string, ageDays: number, entries: number, changes: number) =>
  sql`
    with added as (
      insert into operation (at, account_id, account, company_id, endpoint, address, request_id, result, input)
      select ${new Date(fixture.clock.now() - ageDays * DAY_MS)}::timestamptz, null, '', null, ${name}, '', '', 'ok', '{}'
      from generate_series(1, ${entries}::int) returning id)
    insert into operation_change (operation_id, entity, entity_id, action, after)
    select added.id, 'node', nr::text, 'added', '{}' from added, generate_series(1, ${changes}::int) nr`.execute(
    fixture.db,
  )

async function count(name: string): Promise<readonly [entries: number, changes: number]> {
  const { rows } = await sql<{ entries: number; changes: number }>`
    select count(distinct operation.id) as entries, count(change.id) as changes from operation
      left join operation_change change on change.operation_id = operation.id
    where endpoint = ${name}`.execute(fixture.db)
  return [rows[0]?.entries ?? 0, rows[0]?.changes ?? 0]
}

test('entries past their retention are deleted with all their changes; younger ones stay', async () => {
  await addEntries('many', 202, 1_500, 1)
  await addEntries('import', 300, 1, 2_500)
  await addEntries('young', 199, 2, 3)
  retention.start()
  fixture.clock.advance(0)
  await expect
    .poll(async () => [await count('many'), await count('import')])
    .toEqual([
      [0, 0],
      [0, 0],
    ])
  expect(await count('young')).toEqual([2, 6])
})

test('the log contains an entry for each day on which entries are deleted', async () => {
  await addEntries('old', 250, 1, 1)
  const deletions = async () => (await count('log-retention'))[0]
  const before = await deletions()
  retention.start()
  fixture.clock.advance(DAY_MS)
  await expect.poll(async () => count('old')).toEqual([0, 0])
  expect(await deletions()).toBe(before + 1)
  await addEntries('old', 250, 1, 1)
  await retention.close()
  retention = createRetention(200)
  retention.start()
  fixture.clock.advance(0)
  await expect.poll(async () => count('old')).toEqual([0, 0])
  expect(await deletions()).toBe(before + 1)
  expect(toOperationText('zh', 'log-retention')).toBe('删除超过保存期限的日志')
})

test('without a retention nothing is deleted', async () => {
  await addEntries('kept', 5_000, 1, 1)
  const unlimited = createRetention(0)
  unlimited.start()
  fixture.clock.advance(HOUR_MS)
  await unlimited.close()
  expect(await count('kept')).toEqual([1, 1])
})

test('the database itself refuses to delete entries of the last 180 days, and to change any', async () => {
  const add = (days: number) =>
    sql`
    insert into operation (at, account, endpoint, address, request_id, result, input)
    values (now() - ${days} * interval '1 day', '', 'guarded', '', '', 'ok', '{}')`.execute(fixture.db)
  await add(179)
  const refused = 'the operation log is only added to'
  const remove = () => sql`delete from operation where endpoint = 'guarded'`.execute(fixture.db)
  await expect(remove()).rejects.toThrow(refused)
  await sql`
    insert into operation_change (operation_id, entity, entity_id, action)
    select id, 'node', '1', 'added' from operation where endpoint = 'guarded'`.execute(fixture.db)
  const changes = sql`delete from operation_change where operation_id in (
    select id from operation where endpoint = 'guarded')`
  await expect(changes.execute(fixture.db)).rejects.toThrow(refused)
  await expect(sql`update operation set account = 'x'`.execute(fixture.db)).rejects.toThrow(refused)
  await expect(sql`truncate operation cascade`.execute(fixture.db)).rejects.toThrow(refused)
})
