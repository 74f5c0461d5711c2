import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { coreMigrations } from '../../core.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { startEmptyDatabase } from '../../platform/postgres/empty-database.testkit.ts'
import { commandsMigrations } from '../commands/migrations.pg.ts'
import { irrigationModule } from '../irrigation/index.ts'
import { PLAN_FORMAT, parsePlan, parseVerification } from './campaign/storage/stored-plan.ts'
import { balancingMigrations } from './migrations.pg.ts'

const log = createLog({ logLevel: 'silent' })
const { module, migrations } = balancingMigrations
const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '005'))
const before = [...coreMigrations, commandsMigrations, { module, migrations: older }]

const point = { supplyC: 50, returnC: 40 }
const remark = 'a text with "mostUnanswered": 1 in it'
const valve = { deviceId: 7, deviceName: 'V', node: 's', nestaddr: 'S', areaM2: 900, targetFlowM3H: 0.5 }
const member = { ...valve, before: { openingPct: 50 }, expected: { openingPct: 60 }, limit: 'least-flow' }
const plan = {
  plannedAt: 1_000,
  flows: 'metered',
  settleMs: 1_000,
  station: { before: point, expected: point },
  indices: { before: { leastImbalance: 0.8 }, expected: { greatestImbalance: 1.1, sigmaReturnK: 1 } },
  members: [member],
  steps: [{ kind: 'open', moves: [], leastFlowM3H: [[7, 0.4]], leastHeadKpa: 30, mostHeadKpa: 70 }],
  mostUnanswered: 0.3,
  coldRooms: 2,
  memory: { remark },
}
const verification = { station: point, indices: { leastImbalance: 0.9 }, members: [], memory: null }
const groups = [{ name: 'east', preheat: { wantedC: 20, boostedC: 24, mostHours: 8 } }]

test('stored plans, results and strategies are read after the names of their minima and maxima changed', async () => {
  const { db, close } = await startEmptyDatabase()
  try {
    await migratePostgres(db, before, log)
    await sql`insert into company (tenant, name, time_zone) values ('old', 'x', 'Asia/Shanghai')`.execute(db)
    await sql`
      insert into node (company_id, key, kind, level, name, path, nestaddr, sort_path)
      values (1, 'p', 'project', 1, 'S', '/1/', 'S', '0000')`.execute(db)
    await sql`
      insert into campaign (company_id, node_id, station_node_id, station_name, mode, state, planned_ms, created_by,
        created_ms, account, updated_ms)
      values (1, 1, 1, 'S', '{"kind": "flow"}', 'verified', 1000, 'test', 1000, 'test', 2000)`.execute(db)
    await sql`
      insert into campaign_round (campaign_id, round, format, plan, indices, valves, excluded, verification)
      values (1, 1, 1, ${JSON.stringify(plan)}::jsonb, ${JSON.stringify(plan.indices)}::jsonb, 1, 0,
        ${JSON.stringify(verification)}::jsonb), (1, 2, 1, '{}', '{}', 0, 0, null)`.execute(db)
    await sql`
      insert into strategy (company_id, node_id, station_node_id, station_name, plan, state, created_by, created_ms,
        account, updated_ms)
      values (1, 1, 1, 'S', ${JSON.stringify({ kind: 'sequence', groups })}::jsonb, 'draft', 'test', 1000, 'test',
        1000)`.execute(db)

    await migratePostgres(
      db,
      [...coreMigrations, commandsMigrations, irrigationModule.migrations, balancingMigrations],
      log,
    )

    const [round, rollback] = await db.selectFrom('campaign_round').orderBy('round').selectAll().execute()
    expect(round?.format).toBe(PLAN_FORMAT)
    expect(parsePlan(PLAN_FORMAT, round?.plan)).toMatchObject({
      indices: { before: { minImbalance: 0.8 }, expected: { maxImbalance: 1.1, sigmaReturnK: 1 } },
      steps: [{ kind: 'open', moves: [], minFlowM3H: [[7, 0.4]], minHeadKpa: 30, maxHeadKpa: 70 }],
      maxUnansweredShare: 0.3,
      members: [{ deviceId: 7, limit: 'min-flow' }],
      memory: { remark },
    })
    expect(round?.indices.expected).toEqual({ maxImbalance: 1.1, sigmaReturnK: 1 })
    expect(parseVerification(round?.verification).indices).toEqual({ minImbalance: 0.9 })
    expect(rollback?.verification).toBeNull()
    const strategy = await db.selectFrom('strategy').select(['plan', 'version']).executeTakeFirstOrThrow()
    expect(strategy.plan).toMatchObject({ groups: [{ preheat: { wantedC: 20, boostedC: 24, maxHours: 8 } }] })
  } finally {
    await close()
  }
})
