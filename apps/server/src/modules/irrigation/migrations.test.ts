import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { coreMigrations } from '../../core.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { startEmptyDatabase } from '../../platform/postgres/empty-database.testkit.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { irrigationMigrations } from './migrations.pg.ts'
import { claimLooks, listObservedValves, listOwnTimes } from './observed/observed-runs.pg.ts'
import { listSources } from './storage/sources.pg.ts'

const log = createLog({ logLevel: 'silent' })
const { module, migrations } = irrigationMigrations
const until = (name: string) => ({
  module,
  migrations: Object.fromEntries(Object.entries(migrations).filter(([each]) => each < name)),
})

const source = { name: '泵房', capacityM3H: 14, leadS: 5, groupDelayS: 10, afterOutage: 'skip', masterId: 3 }
const group = { name: '东畦', mode: 'parallel', valves: [{ deviceId: 7, flowM3H: 6, maxS: 1_800 }] }
const program = { name: '晨灌', enabled: true, plan: { entries: [{ groupId: 1, runS: 600 }] } }

/** A field with a run that is over and one under way, as a server of the first version stored it. */
async function fillFirstVersion(db: Database): Promise<void> {
  await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(db)
  await sql`
    insert into node (company_id, key, kind, level, name, path, nestaddr, sort_path)
    values (1, 'p', 'project', 1, 'S', '/1/', 'S', '0000')`.execute(db)
  await sql`
    insert into irrigation_source (node_id, settings, planned_ms, seen_ms, paused_until_ms, pause_reason)
    values (1, ${JSON.stringify(source)}::jsonb, 1000, 2000, 9000, '雨')`.execute(db)
  await sql`insert into irrigation_group (source_id, settings) values (1, ${JSON.stringify(group)}::jsonb)`.execute(
    db,
  )
  await sql`
    insert into irrigation_program (source_id, settings, account)
    values (1, ${JSON.stringify(program)}::jsonb, 'keeper')`.execute(db)
  await sql`
    insert into irrigation_run (source_id, program_id, name, state, together, due_ms, began_ms, ended_ms, adjust_pct,
      conflicts, planned_m3, account)
    values (1, 1, '晨灌', 'done', false, 1000, 1000, 601000, 80, '[{"kind": "rain"}]', 1, 'keeper'),
      (1, null, '单次', 'running', false, 700000, 700000, null, 100, '[]', 2, 'keeper')`.execute(db)
  await sql`
    insert into irrigation_step (run_id, seq, group_id, valve_ids, flow_m3_h, max_s, planned_ms, planned_s, duration_s,
      delay_s, soak_s, state, opened_ms, closed_ms, volume_m3, metered_s, metered_m3, is_measured)
    values (1, 0, 1, '{7}', 6, 1800, 1000, 600, 0, 0, 0, 'closed', 1000, 601000, 0.9, 590, 0.88, true),
      (1, 1, 1, '{7}', 6, 1800, 1000, 600, 0, 0, 0, 'closed', 650000, 660000, 0.2, 0, 0, false),
      (2, 0, 1, '{7}', 6, 1800, 700000, 600, 600, 0, 0, 'open', 700000, null, 0, 0, 0, false)`.execute(db)
}

test('a field of an older version has all its settings, runs and water after the migrations', async () => {
  const { db, close } = await startEmptyDatabase()
  try {
    await migratePostgres(db, [...coreMigrations, until('002')], log)
    await fillFirstVersion(db)
    await migratePostgres(db, [...coreMigrations, until('004')], log)
    await sql`
        update irrigation_source set leak_since_ms = 3000, leak_ms = 4000, leak_m3_h = 0.7, master_state = 'open',
          master_opened_ms = 5000`.execute(db)
    await sql`update irrigation_step set is_alone = false, lost_m3 = 0.1, lost_s = 60 where id = 2`.execute(
      db,
    )
    await migratePostgres(db, [...coreMigrations, irrigationMigrations], log)

    const [stored] = await listSources(db, scopeOfEverything, {})
    expect(stored).toMatchObject({
      settings: source,
      plannedMs: 1_000,
      seenMs: 2_000,
      pausedUntilMs: 9_000,
      pauseReason: '雨',
      leakMs: 4_000,
      leakM3H: 0.7,
      haltedMs: null,
      master: { state: 'open', openedMs: 5_000, tries: 0 },
      groups: [{ settings: group }],
      programs: [{ settings: program, account: 'keeper' }],
    })
    const runs = await db.selectFrom('irrigation_run').selectAll().orderBy('id').execute()
    expect(runs).toMatchObject([
      { state: 'done', program_id: 1, adjust_pct: 80, conflicts: [{ kind: 'rain' }], is_observed: false },
      { state: 'running', program_id: null, ended_ms: null, is_observed: false, paused_for: null },
    ])
    const steps = await db.selectFrom('irrigation_step').selectAll().orderBy('id').execute()
    expect(steps).toMatchObject([
      { volume_m3: 0.9, measured_m3: 0.9, metered_m3: 0.88, closed_ms: 601_000, is_alone: true },
      { volume_m3: 0.2, measured_m3: 0, closed_ms: 660_000, is_alone: false, lost_m3: 0.1, lost_s: 60 },
      { state: 'open', closed_ms: null, duration_s: 600, close_tries: 0 },
    ])

    // The valves were never looked at: the first look reads the weeks before, and takes no run of before for somebody else's.
    expect(await claimLooks(db, 10_000, 20_000)).toEqual([1])
    expect(await listObservedValves(db, [1])).toMatchObject([{ deviceId: 7, groupId: 1, mark: null }])
    expect(await listOwnTimes(db, 7, 0)).toHaveLength(3)
    expect((await listOwnTimes(db, 7, 690_000)).map(({ closedMs }) => closedMs)).toEqual([Infinity])
  } finally {
    await close()
  }
})
