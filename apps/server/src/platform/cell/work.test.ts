import type { createTestDatabase } from '@isotherm/engines/testkit'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOpenWatches, readStates } from '../../modules/alarms/changes/open-alarms.pg.ts'
import { claimNotices, storeDueNotices } from '../../modules/alarms/notices/notices.pg.ts'
import { storeDueReports } from '../../modules/alarms/notices/reports.pg.ts'
import { runningCampaigns } from '../../modules/balancing/campaign/storage/campaign-changes.pg.ts'
import { type LeasedRows, takeRows } from '../../modules/balancing/campaign/storage/loop-rows.pg.ts'
import { listStopped } from '../../modules/balancing/stopped.pg.ts'
import {
  runningStrategies,
  stoppedStrategies,
} from '../../modules/balancing/strategies/storage/strategy-changes.pg.ts'
import { claimDueCommands } from '../../modules/commands/dispatch/queues.pg.ts'
import { expireHolds } from '../../modules/commands/holds/holds.pg.ts'
import { finishBatches } from '../../modules/commands/orders/batches.pg.ts'
import { listAwaiting, listOverdue } from '../../modules/commands/store/open-commands.pg.ts'
import { importRegistry } from '../../modules/devices/import/import-registry.testkit.ts'
import { listOpen } from '../../modules/exercises/progress.pg.ts'
import { findEarliest, listDue } from '../../modules/groups/schedules.pg.ts'
import { claimLooks } from '../../modules/irrigation/observed/observed-runs.pg.ts'
import { listFaults, listMeasured } from '../../modules/irrigation/storage/faults.pg.ts'
import { listActiveSources } from '../../modules/irrigation/storage/sources.pg.ts'
import { listPlacedNodes } from '../../modules/network/nodes/map-nodes.pg.ts'
import { listOpenFindings } from '../../modules/telemetry/quality/findings.pg.ts'
import { claim } from '../../modules/transfer/runs/lease.pg.ts'
import { laterMigrations } from '../../modules.ts'
import { createRegistry, createRegistryBeside } from '../../testing/core.testkit.ts'
import { createCoreDatabase } from '../../testing/core-database.testkit.ts'
import { toCell } from '../config/cell.ts'
import { createLog } from '../log.ts'
import { createDatabase, type Database } from '../postgres/database.pg.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

/** Where the rows of a company belong. */
interface Place {
  readonly tenant: string
  readonly company: number
  readonly node: number
  readonly path: string
  readonly valve: number
  readonly gateway: number
  readonly account: number
}

const NOW = Date.UTC(2026, 10, 29, 12)
const TENANTS = ['demo', 'other'] as const

let stores: TestDatabase
/** Connections of a server for all companies, and of one for each. */
let all: Database
let only: Readonly<Record<(typeof TENANTS)[number], Database>>
let places: readonly Place[]

const connect = (tenant?: string): Database =>
  createDatabase(
    { databaseUrl: stores.url, cell: tenant === undefined ? undefined : toCell([tenant]) },
    createLog({ logLevel: 'silent' }),
  )

async function findPlace(tenant: string): Promise<Place> {
  const { rows } = await sql<Place>`
    with home as (
      select node.id as node, path, company.id as company from node join company on company.id = node.company_id
      where tenant = ${tenant} and kind = 'project')
    select ${tenant}::text as tenant, home.*,
      (select id from device where company_id = company and serial = 'V-b2u1') as valve,
      (select id from device where company_id = company and serial = 'C-b2') as gateway,
      (select id from account where company_id = company) as account
    from home`.execute(all)
  const [place] = rows
  if (!place) throw new Error(`${tenant} has no project`)
  return place
}

const insertOf: Readonly<Record<string, (place: Place) => RawBuilder<unknown>>> = {
  campaign: ({ company, node }) => sql`
    insert into campaign (company_id, node_id, station_node_id, station_name, mode, state, planned_ms, created_by, created_ms,
      account, updated_ms)
    values (${company}, ${node}, ${node}, 's', '{"kind": "flow"}', 'executing', 0, 'a', 0, 'a', 0)`,
  aborted: ({ company, node, valve }) => sql`
    insert into campaign (company_id, node_id, station_node_id, station_name, mode, state, planned_ms, created_by, created_ms,
      account, updated_ms)
    select ${company}, ${node}, id, 's', '{"kind": "flow"}', 'aborted', 0, 'a', 0, 'a', 0
    from node where id = (select node_id from device where id = ${valve})`,
  strategies: ({ company, node }) => sql`
    insert into strategy (company_id, node_id, station_node_id, station_name, plan, state, created_by, created_ms, account,
      updated_ms)
    select ${company}, ${node}, ${node}, 's', '{}', state, 'a', 0, 'a', 0 from unnest(array['running', 'paused']) given (state)`,
  schedule: ({ company }) => sql`
    with added as (insert into device_group (company_id, name) values (${company}, 'g') returning id)
    insert into group_schedule (device_group_id, enabled, orders, account, next_ms)
    select id, true, '[]', 'a', ${NOW} from added`,
  exercise: ({ valve }) => sql`
    with added as (
      insert into valve_exercise (account, reason, state, step, created_ms)
      values ('a', '', 'running', 'open', 0) returning id)
    insert into valve_exercise_valve (exercise_id, device_id) select id, ${valve} from added`,
  source: ({ node, gateway }) => sql`
    insert into irrigation_source (node_id, settings, planned_ms, halted_ms)
    values (${node}, ${JSON.stringify({ name: 's', meterId: gateway })}::jsonb, 0, 1)`,
  transfer: ({ company, account }) => sql`
    insert into transfer (account_id, company_id, file_name, state, created_at)
    values (${account}, ${company}, 'f', 'checking', now())`,
  alarm: ({ company, valve, path }) => sql`
    insert into alarm (company_id, kind, severity, device_id, path, raised_at)
    values (${company}, 'device-silent', 'minor', ${valve}, ${path}, now())`,
  delay: ({ valve }) => sql`
    insert into alarm_delay (kind, device_id, phase, since_ms) values ('room-cold', ${valve}, 'raising', 1)`,
  delayOfNode: ({ node }) => sql`
    insert into alarm_delay (kind, node_id, phase, since_ms) values ('room-cold', ${node}, 'raising', 1)`,
  target: ({ company, node }) => sql`
    insert into alarm_target (company_id, node_id, name, url, shown_url, secret, severities, kinds, enabled, report)
    values (${company}, ${node}, 't', 'http://127.0.0.1/', '', 's', '{}', '{}', true, '{"every": "day", "hour": 1}')`,
  finding: ({ valve }) => sql`
    insert into telemetry_finding (device_id, rule, since_ms, detail) values (${valve}, 'frozen', 1, '{}')`,
  hold: ({ valve }) => sql`
    insert into valve_hold (device_id, opening_pct, priority, actor, reason, since_ms, until_ms)
    values (${valve}, 40, 'manual', 'a', '', 1, 2)`,
  batches: ({ company, path }) => sql`
    insert into command_batch (id, actor, reason, priority, state, created_ms, path)
    select kind || ${company}::bigint, 'a', '', 'manual', 'running', 1, ${path}
    from unnest(array['open', 'empty']) given (kind)`,
  commands: ({ company, valve, gateway }) => sql`
    insert into command (id, batch_id, device_id, lane_id, opening_pct, state, rev, actor, reason, created_ms, updated_ms,
      expires_ms, deadline_ms, next_attempt_ms)
    select state || ${company}::bigint, 'open' || ${company}::bigint, ${valve}, ${gateway}, 40, state, rev, 'a', '', 1, 1,
      ${NOW + DAY_MS}, ${NOW - DAY_MS}, case when state = 'queued' then 1 end
    from (values ('queued', 1), ('done', 2)) given (state, rev)`,
  gis: ({ node }) => sql`
    insert into node_gis (node_id, longitude_deg, latitude_deg) values (${node}, 116, 40)`,
}

beforeAll(async () => {
  stores = await createCoreDatabase(laterMigrations, 'server')
  all = connect()
  only = { demo: connect('demo'), other: connect('other') }
  for (const registry of [createRegistry(), createRegistryBeside('other')])
    await importRegistry(all, registry)
  await sql`
    insert into account (account, name, password_hash, p_account, company_id)
    select tenant, tenant, '', '', id from company`.execute(all)
  places = await Promise.all(TENANTS.map(findPlace))
  for (const place of places) for (const insert of Object.values(insertOf)) await insert(place).execute(all)
})
afterAll(async () => {
  for (const db of [all, ...Object.values(only)]) await db.destroy()
  await stores.drop()
})

/** Tenants of the companies of rows. */
const tenantsOf = async (table: string, ids: readonly (number | string)[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ tenant: string }>`
    select tenant from company where id in (select company_id from ${sql.table(table)} where id = any(${[...ids]}::bigint[]))
    order by 1`.execute(all)
  return rows.map(({ tenant }) => tenant)
}
const tenantsOfDevices = (ids: readonly number[]) => tenantsOf('device', ids)
const tenantsOfSources = async (ids: readonly number[]) => {
  const { rows } = await sql<{ node_id: number }>`
    select node_id from irrigation_source where id = any(${[...ids]}::bigint[])`.execute(all)
  return tenantsOf(
    'node',
    rows.map(({ node_id }) => node_id),
  )
}
const take = (rows: LeasedRows) => async (db: Database) =>
  tenantsOf(rows.table, await takeRows(db, rows, { worker: 'w', now: NOW, leaseUntil: NOW + 1, limit: 8 }))
const noticeClaim = { now: NOW + DAY_MS, limit: 10, leaseMs: 1, sending: [], resting: [] }
const queueClaim = {
  worker: 'w',
  now: NOW,
  leaseUntil: NOW + 1,
  queues: 9,
  window: 9,
  answerBy: 0,
  busy: [],
  awake: [],
  retryAfter: [HOUR_MS],
}
const listTransfers = async (db: Database) => {
  const run = await claim(db, '00000000-0000-4000-8000-000000000000', 'registry')
  return run ? tenantsOf('transfer', [run.id]) : []
}
const ended = async (table: string, condition: RawBuilder<unknown>) =>
  (
    await sql<{ id: number }>`select device_id as id from ${sql.table(table)} where ${condition}`.execute(all)
  ).rows.map(({ id }) => id)

/** What a server takes or reads by itself; each returns the tenants of what it found. */
const work: Readonly<Record<string, (db: Database) => Promise<readonly string[]>>> = {
  campaigns: take(runningCampaigns),
  strategies: take(runningStrategies),
  'stopped strategies': take(stoppedStrategies),
  'stops for alarms': async (db) => (await listStopped(db)).map(({ tenant }) => tenant),
  'schedules of groups': async (db) =>
    tenantsOf(
      'device_group',
      (await listDue(db, NOW, 9)).map(({ groupId }) => groupId),
    ),
  exercises: async (db) => {
    const ids = (await listOpen(db)).map(({ id }) => id)
    const { rows } = await sql<{ id: number }>`
      select device_id as id from valve_exercise_valve where exercise_id = any(${ids}::bigint[])`.execute(all)
    return tenantsOfDevices(rows.map(({ id }) => id))
  },
  'sources of irrigation': async (db) => tenantsOfSources(await listActiveSources(db)),
  'looks at irrigation': async (db) => tenantsOfSources(await claimLooks(db, NOW, NOW + 1)),
  'faults of irrigation': async (db) => (await listFaults(db, NOW)).map(({ tenant }) => tenant),
  'measured sources': async (db) => (await listMeasured(db)).map(({ tenant }) => tenant),
  imports: listTransfers,
  'open alarms': async (db) =>
    tenantsOfDevices((await readStates(db)).flatMap(({ originator }) => originator.deviceId ?? [])),
  'named alarms': async (db) => {
    const { rows } = await sql<{ id: number }>`select id from alarm`.execute(all)
    const known = await readStates(
      db,
      rows.map(({ id }) => id),
    )
    return tenantsOfDevices(known.flatMap(({ originator }) => originator.deviceId ?? []))
  },
  'delays of devices': async (db) =>
    tenantsOfDevices((await readOpenWatches(db)).flatMap(({ originator }) => originator.deviceId ?? [])),
  'delays of nodes': async (db) => (await readOpenWatches(db)).flatMap(({ place }) => place?.tenant ?? []),
  reports: async (db) => {
    const found: string[] = []
    await storeDueReports(
      db,
      Date.UTC(2026, 10, 29, 18),
      async (path) => {
        found.push(path)
        return { from: '', to: '', reports: [] }
      },
      (_, error) => {
        throw error
      },
    )
    return places.filter(({ path }) => found.includes(path)).map(({ tenant }) => tenant)
  },
  notices: async (db) => {
    await storeDueNotices(db, NOW)
    const claimed = await claimNotices(db, noticeClaim)
    return [
      ...new Set(
        claimed.map(({ companyId }) => places.find(({ company }) => company === companyId)?.tenant ?? ''),
      ),
    ]
  },
  findings: async (db) => tenantsOfDevices((await listOpenFindings(db)).map(({ deviceId }) => deviceId)),
  'waiting commands': async (db) =>
    tenantsOfDevices((await claimDueCommands(db, queueClaim)).map(({ deviceId }) => deviceId)),
  'commands to confirm': async (db) =>
    tenantsOfDevices((await listAwaiting(db)).map(({ deviceId }) => deviceId)),
  'overdue commands': async (db) => {
    const overdue = await listOverdue(db, { now: NOW, triedBefore: NOW, limit: 9 })
    return places
      .filter(({ company }) => overdue.some(({ id }) => id === `done${company}`))
      .map(({ tenant }) => tenant)
  },
  batches: async (db) => {
    await finishBatches(db)
    const { rows } = await sql<{
      path: string
    }>`select path from command_batch where state = 'finished'`.execute(all)
    return places.filter((place) => rows.some(({ path }) => path === place.path)).map(({ tenant }) => tenant)
  },
  holds: async (db) => {
    await expireHolds(db, NOW)
    return tenantsOfDevices(await ended('valve_hold', sql`ended_ms is not null`))
  },
  places: async (db) => {
    const nodes = (await listPlacedNodes(db)).map(({ path }) => path)
    return places.filter(({ path }) => nodes.includes(path)).map(({ tenant }) => tenant)
  },
}

test.each(Object.entries(work))('%s: a server takes those of its companies only', async (_, find) => {
  expect(await find(only.other)).toEqual(['other'])
  // The rest is left to the server of the other company.
  expect(await find(only.demo)).toContain('demo')
})

test('a server waits for the next schedule of its companies', async () => {
  await sql`
    update group_schedule set next_ms = 5 from device_group
    where device_group.id = device_group_id and company_id = ${places[0]?.company}`.execute(all)
  expect([await findEarliest(only.demo), await findEarliest(only.other), await findEarliest(all)]).toEqual([
    5,
    NOW,
    5,
  ])
})

test('an exercise whose valves were all removed is taken by any server', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into valve_exercise (account, reason, state, step, created_ms)
    values ('a', '', 'running', 'open', 0) returning id`.execute(all)
  const ids = rows.map(({ id }) => id)
  for (const db of [only.demo, only.other, all])
    expect((await listOpen(db, ids)).map(({ id }) => id)).toEqual(ids)
})
