import type {
  IrrigationGroupSettings,
  IrrigationPlan,
  IrrigationSourceSettings,
} from '@isotherm/contract/irrigation'
import { MASTER_MAX_S, type MasterState } from '@isotherm/irrigation/run/master'
import type { GroundPosition } from '@isotherm/kernel/gcj02'
import { sql, type Transaction } from 'kysely'
import { isServedNode } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow, isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
// Adds this module's tables to the type of the database.
import type { HaltReason } from '../tables.ts'
import { mayWater } from './watering.pg.ts'

type Reader = Database | Transaction<Tables>

export interface StoredGroup {
  readonly id: number
  readonly settings: IrrigationGroupSettings
  readonly version: number
}

export interface StoredProgram {
  readonly id: number
  readonly settings: { readonly name: string; readonly enabled: boolean; readonly plan: IrrigationPlan }
  readonly accountId: number | null
  readonly account: string
  readonly version: number
}

/** The master valve of a source. */
export interface StoredMaster {
  readonly state: MasterState
  readonly openedMs: number | null
  readonly sentMs: number | null
  /** When its last command was refused; null if it was sent. */
  readonly refusedMs: number | null
  readonly freeMs: number | null
  readonly batch: string | null
  readonly tries: number
}

/** First and newest reading that show a condition, Unix ms; null: it is not true. */
export interface StoredCondition {
  readonly sinceMs: number | null
  readonly seenMs: number | null
}

/** A source with its groups and programs. Instants are Unix ms. */
export interface StoredSource {
  readonly id: number
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly path: string
  readonly nestaddr: string
  /** Position of its node on the map, or of the closest node above that has one. */
  readonly place: GroundPosition | null
  readonly companyId: number
  readonly timeZone: string
  readonly settings: IrrigationSourceSettings
  readonly pausedUntilMs: number | null
  readonly pauseReason: string
  readonly plannedMs: number
  readonly seenMs: number
  /** Conditions of the protections. */
  readonly leakSince: StoredCondition
  readonly drySince: StoredCondition
  readonly lowSince: StoredCondition
  readonly leakMs: number | null
  readonly leakM3H: number | null
  readonly haltedMs: number | null
  readonly haltedFor: HaltReason | null
  readonly master: StoredMaster
  readonly version: number
  readonly groups: readonly StoredGroup[]
  readonly programs: readonly StoredProgram[]
}

/** Position of a node on the map, or of the closest node above that has one. */
const selectPlace = sql`(
  select json_build_object('longitudeDeg', longitude_deg, 'latitudeDeg', latitude_deg)
  from node_gis join node above on above.id = node_gis.node_id
  where above.id = any(string_to_array(trim(both '/' from node.path), '/')::bigint[])
  order by above.level desc limit 1)`

export interface SourceQuery {
  readonly ids?: readonly number[] | undefined
  /** Only sources at nodes below these paths. */
  readonly paths?: readonly string[] | undefined
  /** Only sources of this name at the node with this path. */
  readonly named?: { readonly path: string; readonly name: string } | undefined
}

/** Sources that the scope covers, in tree order. */
export async function listSources(
  db: Reader,
  scope: Scope,
  { ids, paths, named }: SourceQuery,
): Promise<readonly StoredSource[]> {
  const { rows } = await sql<StoredSource>`
    select source.id, node.id as "nodeId", node.uuid::text, node.address, node.path, node.nestaddr,
      ${selectPlace} as place,
      node.company_id as "companyId", company.time_zone as "timeZone", source.settings,
      paused_until_ms as "pausedUntilMs", pause_reason as "pauseReason", planned_ms as "plannedMs",
      seen_ms as "seenMs", leak_ms as "leakMs", leak_m3_h as "leakM3H",
      json_build_object('sinceMs', leak_since_ms, 'seenMs', leak_seen_ms) as "leakSince",
      json_build_object('sinceMs', dry_since_ms, 'seenMs', dry_seen_ms) as "drySince",
      json_build_object('sinceMs', low_since_ms, 'seenMs', low_seen_ms) as "lowSince", halted_ms as "haltedMs", halted_for as "haltedFor",
      json_build_object('state', master_state, 'openedMs', master_opened_ms, 'sentMs', master_sent_ms,
        'refusedMs', master_refused_ms, 'freeMs', master_free_ms, 'batch', master_batch, 'tries', master_tries) as master,
      source.version,
      coalesce((select json_agg(json_build_object('id', id, 'settings', settings, 'version', version) order by id)
        from irrigation_group where source_id = source.id), '[]') as groups,
      coalesce((select json_agg(json_build_object('id', id, 'settings', settings, 'accountId', account_id,
        'account', account, 'version', version) order by id)
        from irrigation_program where source_id = source.id), '[]') as programs
    from irrigation_source source join node on node.id = source.node_id join company on company.id = node.company_id
    where ${isInScope('node.path', scope)}
      and ${ids ? sql`source.id = any(${[...ids]}::bigint[])` : sql`true`}
      and ${paths ? isBelow('node.path', paths) : sql`true`}
      and ${named ? sql`node.path = ${named.path} and source.settings->>'name' = ${named.name}` : sql`true`}
    order by node.path, source.id`.execute(db)
  return rows
}

/** Sources of companies that this server serves that need a server now: with an enabled program, a run that is not over, a meter or a sensor before the pump, or a master valve that may be open. */
export async function listActiveSources(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from irrigation_source source where ${isServedNode('node_id')} and (
      settings ?| array['stationId', 'meterId', 'inletId'] or master_state <> 'closed' or exists (
        select from irrigation_program where source_id = source.id and (settings->>'enabled')::boolean)
      or exists (select from irrigation_run where source_id = source.id and state in ('running', 'paused', 'stopping'))
      or exists (select from irrigation_run run join irrigation_step step on step.run_id = run.id
        where run.source_id = source.id and step.state in ('opening', 'open', 'closing', 'stuck')))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Clocks of replicas differ by less. */
const MAX_SKEW_MS = 60_000

/**
 * Claims a source for a replica. False if another one works on it, or if a change of settings locks it: the next tick is a second
 * later, and the other sources must not wait. A lease longer than any is from before the clock was set back.
 */
export async function claimSource(
  db: Database,
  { id, worker, now, untilMs }: { id: number; worker: string; now: number; untilMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    update irrigation_source set worker = ${worker}, lease_until_ms = ${untilMs}::bigint
    where id = (
      select id from irrigation_source where id = ${id}
        and (worker = ${worker} or lease_until_ms <= ${now} or lease_until_ms > ${untilMs + MAX_SKEW_MS}::bigint)
      for no key update skip locked)
    returning id`.execute(db)
  return rows.length > 0
}

export async function markSeen(db: Database, id: number, now: number): Promise<void> {
  await sql`update irrigation_source set seen_ms = ${now}::bigint where id = ${id}`.execute(db)
}

/**
 * Locks devices that a source or a group should get against retirement, replacement and moves, until the end of the transaction. Call it
 * before a source or a group is locked, and before its path is read: a replacement locks the device first too, and a move of a part of
 * the tree its company. In order of id, as all changes of devices. Devices that the caller does not see are not locked, nor are their
 * companies: the checks refuse them.
 */
export async function lockDevices(
  transaction: Transaction<Tables>,
  scope: Scope,
  deviceIds: readonly (number | undefined)[],
): Promise<void> {
  const named = deviceIds.flatMap((id) => id ?? [])
  if (named.length === 0) return
  // Lock later: a device that is moved during the wait would not join with its old node.
  const { rows: seen } = await sql<{ id: number; companyId: number }>`
    select device.id, device.company_id as "companyId" from device join node on node.id = device.node_id
    where device.id = any(${named}::bigint[]) and ${isDeviceInScope(scope)}`.execute(transaction)
  if (seen.length === 0) return
  const companyIds = [...new Set(seen.map(({ companyId }) => companyId))]
  const ids = seen.map(({ id }) => id)
  // Nor does a part of the tree move meanwhile: the editors of the tree lock its company (lockCompany) before they look for attached sensors.
  await sql`
    select from company where id = any(${companyIds}::bigint[]) order by id for share`.execute(transaction)
  await sql`select from device where id = any(${ids}::bigint[]) order by id for share`.execute(transaction)
}

/** Locks a source against the runner and other changes until the end of the transaction. */
export async function lockSource(transaction: Transaction<Tables>, id: number): Promise<void> {
  await sql`select from irrigation_source where id = ${id} for update`.execute(transaction)
}

/**
 * Before a source gets its first enabled program: marks all starts until now as planned, so that none of them is made
 * up for.
 */
export async function planFromNow(transaction: Transaction<Tables>, id: number, now: number): Promise<void> {
  await sql`
    update irrigation_source source set planned_ms = greatest(planned_ms, ${now}::bigint) where id = ${id} and not exists (
      select from irrigation_program where source_id = source.id and (settings->>'enabled')::boolean)`.execute(
    transaction,
  )
}

/** A new entity, or the settings of an existing one. */
export interface SettingsWrite {
  readonly table: 'irrigation_source' | 'irrigation_group' | 'irrigation_program'
  readonly id: number | undefined
  readonly values: Readonly<Record<string, unknown>>
}

/** Number of rows beside which a new one would be: sources of its company, or groups and programs of its source. The lock serializes concurrent additions. */
export async function countBeside(
  transaction: Transaction<Tables>,
  { table, values }: Pick<SettingsWrite, 'table' | 'values'>,
): Promise<number> {
  const owner =
    table === 'irrigation_source'
      ? sql`(select company_id from node where id = ${values.node_id})`
      : sql`${values.source_id}`
  await sql`select pg_advisory_xact_lock(hashtext(${table}), ${owner}::int)`.execute(transaction)
  const beside =
    table === 'irrigation_source'
      ? sql`join node on node.id = node_id where node.company_id = ${owner}`
      : sql`where source_id = ${owner}`
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} ${beside}`.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Inserts or updates a row; objects are stored as JSON. Returns its id. */
export async function writeSettings(
  transaction: Transaction<Tables>,
  { table, id, values }: SettingsWrite,
): Promise<number> {
  const entries = Object.entries(values).map(
    ([name, value]) =>
      [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value] as const,
  )
  const columns = entries.map(([name]) => sql.ref(name))
  const given = entries.map(([, value]) => sql`${value}`)
  const { rows } =
    id === undefined
      ? await sql<{ id: number }>`
          insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(given)}) returning id`.execute(
          transaction,
        )
      : await sql<{ id: number }>`
          update ${sql.table(table)} set (${sql.join(columns)}) = row(${sql.join(given)})
          where id = ${id} returning id`.execute(transaction)
  return rows[0]?.id ?? 0
}

/** The source of a group, a program or a run. */
export async function findSourceId(
  db: Reader,
  table: 'irrigation_group' | 'irrigation_program' | 'irrigation_run',
  id: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select source_id as id from ${sql.table(table)} where id = ${id}`.execute(db)
  return rows[0]?.id
}

export async function removeRow(
  transaction: Transaction<Tables>,
  table: SettingsWrite['table'],
  id: number,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(transaction)
}

/** A device that a source or a group of it can have. */
export interface Candidate {
  readonly deviceId: number
  readonly deviceName: string
  readonly nestaddr: string
}

/** Valves, controllers of pump houses or sensors in use below a node, in tree order. `besides`: only those that are not of heating, and these. */
export async function listCandidates(
  db: Database,
  path: string,
  kind: 'valve' | 'station' | 'sensor',
  besides?: readonly number[],
): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate>`
    select device.id as "deviceId", device.name as "deviceName", node.nestaddr
    from device join node on node.id = device.node_id
    where ${isBelow('node.path', [path])} and device.kind = ${kind} and retired_at is null
      and ${besides ? sql`(${mayWater} or device.id = any(${[...besides]}::bigint[]))` : sql`true`}
    order by node.sort_path, device.id limit 1000`.execute(db)
  return rows
}

/** A device of a source, with the position of its node or of the closest node above that has one. */
export interface NamedDevice extends Omit<Candidate, 'nestaddr'> {
  readonly position: GroundPosition | null
}

/** Names and positions of devices, by id. */
export async function listNamedDevices(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, NamedDevice>> {
  const { rows } = await sql<NamedDevice>`
    select device.id as "deviceId", device.name as "deviceName", ${selectPlace} as position
    from device left join node on node.id = device.node_id
    where device.id = any(${[...deviceIds]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.deviceId, row]))
}

/** Position of the node with a path on the map, or of the closest node above that has one. */
export async function findPlace(db: Reader, path: string): Promise<GroundPosition | null> {
  const { rows } = await sql<{ place: GroundPosition | null }>`
    select ${selectPlace} as place from node where path = ${path}`.execute(db)
  return rows[0]?.place ?? null
}

/** Whether all devices stand below a node. */
export async function areBelow(db: Database, path: string, deviceIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from device join node on node.id = device.node_id
    where device.id = any(${[...deviceIds]}::bigint[]) and ${isBelow('node.path', [path])}`.execute(db)
  return rows[0]?.count === deviceIds.length
}

/** Name of a device that is not below a node; undefined: all are. */
export async function findElsewhere(
  db: Reader,
  path: string,
  deviceIds: readonly number[],
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select device.name from device join node on node.id = device.node_id
    where device.id = any(${[...deviceIds]}::bigint[]) and not ${isBelow('node.path', [path])}
    order by device.id limit 1`.execute(db)
  return rows[0]?.name
}

/** A valve that another source has as its master valve, or a group as one of its own; undefined: none is. */
export async function findUsedValve(
  db: Reader,
  deviceIds: readonly number[],
  { sourceId, inGroups }: { readonly sourceId: number | undefined; readonly inGroups: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from device where id = any(${[...deviceIds]}::bigint[]) and (
      exists (select from irrigation_source source where source.id is distinct from ${sourceId ?? null}::bigint
        and (source.settings->>'masterId')::bigint = device.id)
      or ${inGroups} and exists (select from irrigation_group, jsonb_array_elements(settings->'valves') valve
        where (valve->>'deviceId')::bigint = device.id)) limit 1`.execute(db)
  return rows[0]?.name
}

/** Whether a device is taken out of use. */
export async function isRetired(db: Reader, deviceId: number | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from device where id = ${deviceId ?? null}::bigint and retired_at is not null`.execute(db)
  return rows.length > 0
}

/** Longest time at a stretch of valves that are in a group or the master valve of a source, s; of several, the shortest. */
export async function listLongestOpenings(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ deviceId: number; maxS: number }>`
    select id as "deviceId", min(longest) as "maxS" from (
      select (valve->>'deviceId')::bigint as id, (valve->>'maxS')::integer as longest
      from irrigation_group, jsonb_array_elements(settings->'valves') valve
      union all
      select (settings->>'masterId')::bigint, ${MASTER_MAX_S}::integer from irrigation_source where settings ? 'masterId'
    ) limited where id = any(${[...deviceIds]}::bigint[]) group by 1`.execute(db)
  return new Map(rows.map(({ deviceId, maxS }) => [deviceId, maxS]))
}
