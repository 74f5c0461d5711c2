import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { coreMigrations } from '../core.ts'
import { toClientHash } from '../modules/session/sign-in/passwords.ts'
import { clickhouseMigrations, laterMigrations } from '../modules.ts'
import type { ClickHouseClient } from '../platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from '../platform/clickhouse/migrate.ch.ts'
import { listPostgresMigrations, migratePostgres } from '../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../platform/log.ts'
import type { Database } from '../platform/postgres/database.pg.ts'

/** Changes of the tables of PostgreSQL in version 0.2.0 (commit 91cf0801, 2026-11-23), by the module that they belong to. */
const postgres: Readonly<Record<string, readonly string[]>> = {
  operation: ['001_log', '002_device_path', '003_search', '004_plans', '004_rows_once'],
  revision: ['001_revisions', '002_places'],
  network: [
    '001_tree',
    '002_search',
    '003_forms',
    '004_registry',
    '005_places',
    '006_children',
    '007_registry_file',
    '008_versions_go_on',
    '009_order_of_kinds',
    '010_groups_revision',
    '011_places_revision',
    '012_pipes',
    '013_emitters',
    '014_pipe_versions',
  ],
  devices: [
    '001_device',
    '002_numbers',
    '003_registry',
    '004_lifecycle',
    '005_stations',
    '006_retired',
    '007_controllers_revision',
  ],
  session: [
    '001_accounts',
    '002_sessions',
    '003_known_addresses',
    '004_registry',
    '005_access_signal',
    '006_access_revision',
  ],
  system: ['001_roles'],
  users: ['001_accounts'],
  commands: ['001_commands', '002_noted', '003_batches', '004_holds', '005_limit_versions', '006_pumps'],
  transfer: [
    '001_transfer',
    '002_versions',
    '003_versions_of_marks',
    '004_one_upload',
    '005_pipes',
    '006_emitters',
  ],
  telemetry: ['001_finding'],
  alarms: ['001_alarms', '002_removals', '003_targets', '004_shown_paths', '005_balances'],
  balancing: ['001_campaigns', '002_strategies', '003_pumps'],
}

/** Changes of the tables of ClickHouse in version 0.2.0. */
const clickhouse: Readonly<Record<string, readonly string[]>> = {
  telemetry: [
    '001-readings',
    '002-quarantine',
    '003-readings-by-received',
    '004-fill-by-received',
    '005-months-of-message',
    '006-fewer-merges',
    '007-stored-at',
    '008-fill-stored-at',
    '009-stored-now',
    '010-by-stored',
    '011-raw-frames',
    '012-hash-of-frame',
    '013-frames-by-received',
    '014-fill-frames-by-received',
    '015-refused-messages',
  ],
  history: ['001-hours', '002-days', '003-marks', '004-begun'],
}

const log = createLog({ logLevel: 'silent' })

/** Makes the tables of version 0.2.0 in empty stores. Throws if a change of that version is gone. */
export async function migrateTo020(db: Database, client: ClickHouseClient): Promise<void> {
  const included = new Set(
    Object.entries(postgres).flatMap(([module, names]) => names.map((name) => `migration_${module}/${name}`)),
  )
  const all = [...coreMigrations, ...laterMigrations]
  const now = new Set(listPostgresMigrations(all))
  const missing = [...included].filter((name) => !now.has(name))
  if (missing.length > 0) throw new Error(`changes of 0.2.0 are gone: ${missing.join(', ')}`)
  await migratePostgres(db, all, log, (table, name) => included.has(`${table}/${name}`))
  for (const [module, names] of Object.entries(clickhouse)) {
    const known = clickhouseMigrations.find((one) => one.module === module)?.migrations ?? {}
    const migrations = Object.fromEntries(
      names.map((name) => {
        const found = known[name]
        if (found === undefined) throw new Error(`the change ${module}/${name} of 0.2.0 is gone`)
        return [name, found]
      }),
    )
    await migrateClickhouse(client, [{ module, migrations }], log)
  }
}

/**
 * Instant of all that is stored: noon in Shanghai some days ago, because the server under test has the system clock,
 * stores readings for a time and answers ranges up to a year.
 */
export const STORED_AT = Math.floor(Date.now() / DAY_MS - 8) * DAY_MS + 4 * HOUR_MS
/** A day whose readings are over the time that they are stored for: only its summary is there. Mean 35 %. */
export const STORED_DAY = new Date(STORED_AT - 2 * DAY_MS).toISOString().slice(0, 10)
const toText = (at: number): string => new Date(at).toISOString().replace('Z', '')

/** Rows as version 0.2.0 wrote them: a company with a station, a building and two devices, and what happened there. */
export async function fillAs020(db: Database, client: ClickHouseClient): Promise<void> {
  const password = await hash(toClientHash('wang'), { memoryCost: 8, timeCost: 1 })
  for (const statement of [
    sql`insert into company (tenant, name, time_zone) values ('demo', '示范供热', 'Asia/Shanghai')`,
    sql`
      insert into node (id, company_id, key, parent_id, kind, level, name, uuid, address, path, nestaddr, sort_path, area_m2)
      overriding system value values
        (1, 1, 'p', null, 'project', 1, '集团', null, null, '/1/', '集团', '1000/', null),
        (2, 1, 's1', 1, 'group', 4, '一号站', null, null, '/1/2/', '集团,一号站', '1000/1000/', null),
        (3, 1, 'b2', 2, 'sub-user', 6, '二号楼', '00000000-0000-4000-8000-000000000002', null, '/1/2/3/',
          '集团,一号站,二号楼', '1000/1000/1000/', null),
        (4, 1, 'h1', 3, 'address', 8, '101', '00000000-0000-4000-8000-000000000002', '101', '/1/2/3/4/',
          '集团,一号站,二号楼,101', '1000/1000/1000/1000/', 90)`,
    sql`select setval(pg_get_serial_sequence('node', 'id'), 4)`,
    sql`insert into device_model (kind, name) values ('valve', 'T1'), ('concentrator', 'T1')`,
    sql`
      insert into device (id, company_id, serial, kind, name, model, node_id, concentrator_id, period_s, min_opening_pct,
        max_opening_pct, imei)
      overriding system value values
        (1, 1, 'C-b2', 'concentrator', 'C-b2', 'T1', 3, null, 60, null, null, '123456789012345'),
        (2, 1, 'V-b2', 'valve', '总阀', 'T1', 3, 1, 60, 10, 90, null)`,
    sql`select setval(pg_get_serial_sequence('device', 'id'), 2)`,
    sql`insert into role_code (code, name) values (1, '调度')`,
    sql`insert into role (key, name, code) values ('dispatcher', '调度', 1)`,
    sql`insert into module (name, url, icon, sort) values ('阀门', 'pe-fmreal', '', 1)`,
    sql`insert into role_permission (role_id, permission) values (1, 'pe-fmreal')`,
    sql`
      insert into account (account, name, password_hash, p_account, company_id)
      values ('wang', '王工', ${password}, 'demo', 1)`,
    sql`insert into account_role values (1, 1)`,
    sql`insert into account_node values (1, 2)`,
    sql`
      insert into command_batch (id, account_id, actor, reason, priority, state, created_ms, path)
      values ('01B', 1, 'wang', '太热', 'manual', 'finished', ${STORED_AT}, '/1/2/3/')`,
    sql`
      insert into command (id, batch_id, device_id, opening_pct, previous_pct, state, rev, actor, reason, created_ms,
        updated_ms, expires_ms, done_ms, lane_id)
      values ('01C', '01B', 2, 60, 40, 'confirmed', 1, 'wang', '太热', ${STORED_AT}, ${STORED_AT}, ${STORED_AT},
        ${STORED_AT}, 1)`,
    sql`
      insert into command_event (command_id, at_ms, event, to_state, detail)
      values ('01C', ${STORED_AT}, 'confirmed', 'confirmed', '')`,
    sql`
      insert into valve_hold (device_id, opening_pct, priority, account_id, actor, reason, since_ms, until_ms)
      values (2, 60, 'manual', 1, 'wang', '检修', ${STORED_AT}, ${Date.UTC(2100, 0, 1)})`,
    sql`insert into control_limit (node_id, max_step_pct) values (2, 20)`,
    sql`
      insert into alarm (company_id, kind, severity, device_id, path, raised_at)
      values (1, 'sensor-fault', 'major', 2, '/1/2/3/d2/', to_timestamp(${STORED_AT} / 1000.0))`,
    sql`
      insert into alarm_event (alarm_id, at, event)
      values (1, to_timestamp(${STORED_AT} / 1000.0), 'raised')`,
    sql`
      insert into operation (at, account_id, account, company_id, endpoint, address, request_id, result, input)
      values (to_timestamp(${STORED_AT} / 1000.0), 1, 'wang', 1, 'publishMqCtlCmd', '127.0.0.1', 'r', 'ok', '{}')`,
  ])
    await statement.execute(db)
  const of = { device: 2, metric: metrics['valve.opening'].id }
  const key = { node: 1, boot: 1, seq: 1, months: 1, live: 1, quality: 0 }
  const values = [40, 60].map((value, index) => {
    const ts = toText(STORED_AT + index * 60_000)
    return { ...of, ...key, ts, received: ts, value }
  })
  await client.insert({ table: 'readings', values, format: 'JSONEachRow' })
  const day = {
    ...of,
    day: STORED_DAY,
    total: 1_440,
    good: 1_440,
    sum_value: 1_440 * 35,
    min_value: 30,
    max_value: 40,
    first_value: 30,
    last_value: 40,
    min_at: STORED_AT / 1_000,
    max_at: STORED_AT / 1_000,
    quality: 0,
    version: toText(STORED_AT),
  }
  await client.insert({ table: 'readings_day', values: [day], format: 'JSONEachRow' })
  const closed = STORED_AT / 1_000
  const mark = { zone: 'Asia/Shanghai', closed, stored: closed }
  await client.insert({ table: 'rollup_marks', values: [mark], format: 'JSONEachRow' })
}
