import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()

/** Ends each transaction that writes to a table, as a killed server does, until it is undone. */
async function failWriting(table: string, when: 'at the statement' | 'at the commit') {
  const { db } = field.bench
  await sql`
    create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    db,
  )
  const timing = when === 'at the commit' ? sql`deferrable initially deferred` : sql``
  await sql`
    create constraint trigger die after insert or update on ${sql.table(table)} ${timing}
    for each row execute function die()`.execute(db)
  return async () => {
    await sql`drop function die cascade`.execute(db)
  }
}

const listStored = () =>
  field.bench.db
    .selectFrom('irrigation_run')
    .select(['id', 'due_ms as dueMs', 'state'])
    .where('source_id', '=', field.source.id)
    .execute()

test.each([
  // Before a run is stored, before its steps are, and after all is written.
  ['irrigation_run', 'at the statement'],
  ['irrigation_step', 'at the statement'],
  ['irrigation_step', 'at the commit'],
] as const)('a run whose storing ends in %s %s is neither lost nor stored twice', async (table, when) => {
  await field.addProgram()
  const [previewed] = (await field.now()).next
  // The weather of the day is read before anything is planned.
  await field.bench.pass(60)
  const undo = await failWriting(table, when)
  await expect(field.bench.pass(120)).rejects.toThrow('killed')
  expect(await listStored()).toEqual([])
  await undo()
  await field.bench.restart()
  // The server that died had the source for some seconds more.
  await field.bench.pass(300)
  expect(await listStored()).toMatchObject([{ dueMs: previewed?.dueMs, state: 'done' }])
  const run = await field.lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['closed', undefined],
  ])
})

test('servers that plan at the same time store a run once', async () => {
  await field.addProgram()
  await field.bench.pass(60)
  await field.bench.pass(90, 90, false)
  const { db, clock } = field.bench
  const before = await db
    .selectFrom('irrigation_source')
    .select('planned_ms')
    .where('id', '=', field.source.id)
    .executeTakeFirstOrThrow()
  await field.bench.pass(5)
  expect(await listStored()).toHaveLength(1)
  // One that was suspended while it planned is as far as it was then.
  await db
    .updateTable('irrigation_source')
    .set({ planned_ms: before.planned_ms })
    .where('id', '=', field.source.id)
    .execute()
  expect(before.planned_ms).toBeLessThan(clock.now())
  await field.bench.pass(5)
  expect(await listStored()).toHaveLength(1)
})
