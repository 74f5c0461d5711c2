import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { deviceKind } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  getUnregisteredDevices,
  UnregisteredVia,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { type FieldLine, gatewayConfig } from '@isotherm/contract/gateway-config'
import { type Expression, type SqlBool, sql, type Transaction } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { mayManage } from '../policy.ts'
import type { Said, UnregisteredReport } from './unregistered-report.ts'

/**
 * Maximum number of rows of a company. Each gateway keeps its newest rows; one with many rows does not displace those
 * of others.
 */
const MAX_ROWS = 1_000

/** Adds reports of gateways in use. */
export async function storeUnregistered(db: Database, reports: readonly UnregisteredReport[]): Promise<void> {
  const given = reports.map(({ gatewayId, at, ...rest }) => ({ ...rest, gateway_id: gatewayId, at_ms: at }))
  await sql`
    insert into unregistered_device (gateway_id, via, line, address, said, count, first_at, last_at)
    select given.gateway_id, given.via, given.line, given.address, given.said, given.count,
      to_timestamp(given.at_ms / 1000.0), to_timestamp(given.at_ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given (gateway_id bigint, via text, line text,
      address text, said jsonb, count bigint, at_ms bigint)
    join device on device.id = given.gateway_id and device.retired_at is null
    order by given.gateway_id, given.via, given.line, given.address
    on conflict (gateway_id, via, line, address) do update set count = unregistered_device.count + excluded.count,
      last_at = greatest(unregistered_device.last_at, excluded.last_at),
      said = case when excluded.via = 'readings'
        then jsonb_build_object('m', (unregistered_device.said -> 'm') || (excluded.said -> 'm')) else excluded.said end`.execute(
    db,
  )
  const gateways = [...new Set(reports.map(({ gatewayId }) => gatewayId))]
  await sql`
    delete from unregistered_device where id in (
      select id from (
        select id, row_number() over (partition by company_id order by place_of_gateway, last_at desc, id) as place
        from (
          select unregistered.id, device.company_id, unregistered.last_at, row_number() over (
            partition by unregistered.gateway_id order by unregistered.last_at desc, unregistered.id) as place_of_gateway
          from unregistered_device unregistered join device on device.id = unregistered.gateway_id
          where device.company_id in (select company_id from device where id = any(${gateways}::bigint[]))
        ) of_gateways
      ) ranked where place > ${MAX_ROWS})`.execute(db)
}

/** Deletes rows that were last received before an instant (Unix ms). */
export async function removeUnregistered(db: Database, before: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from unregistered_device where id in (
      select id from unregistered_device where last_at < ${new Date(before)} limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Number of those of `ids` whose gateway is inside the scope. */
export async function countUnregistered(db: Database, scope: Scope, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from unregistered_device unregistered join device on device.id = unregistered.gateway_id
      join node on node.id = device.node_id
    where unregistered.id = any(${[...ids]}::bigint[]) and ${isDeviceInScope(scope)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** A row with its gateway. */
export interface UnregisteredRow {
  readonly id: number
  readonly gatewayId: number
  readonly gateway: string
  readonly gatewaySerial: string
  readonly via: UnregisteredVia
  readonly line: string
  readonly address: string
  readonly said: Said
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly isTaken: boolean
  /** Whether a device outside the scope has this serial. Its content is then hidden from the caller. */
  readonly isForeign: boolean
  readonly total: number
}

/** The device of a row's serial that is registered elsewhere. A line has addresses, which are no serials. */
const other = (
  condition: Expression<SqlBool>,
) => sql`select from device other join node place on place.id = other.node_id
  where unregistered.via = 'readings' and other.company_id = device.company_id and other.serial = unregistered.address
    and ${condition}`

/** Addresses are equal without their leading zeros. */
const toComparable = (address: Expression<string>) => sql<string>`ltrim(upper(${address}), '0')`

/**
 * Unregistered devices behind gateways that the caller may manage, last received first. Leaves out those that are
 * known by now: a registered device of the gateway with this serial that sends readings, and devices in the gateway's
 * stored configuration, which may be newer than the one that the gateway uses.
 */
export async function listUnregistered(
  db: Database,
  caller: Caller,
  { deviceId, limiter: { page, size } }: InputOf<typeof getUnregisteredDevices>,
): Promise<readonly UnregisteredRow[]> {
  const kinds = deviceKind.options.filter((kind) => mayManage(caller, kind))
  const { rows } = await sql<UnregisteredRow>`
    select unregistered.id, device.id as "gatewayId", device.name as gateway, device.serial as "gatewaySerial", unregistered.via,
      unregistered.line, unregistered.address, unregistered.said, unregistered.count, unregistered.first_at as "firstAt", unregistered.last_at as "lastAt",
      exists (${other(sql`true`)}) as "isTaken",
      exists (${other(sql`not (${isInScope('place.path', caller.scope)})`)}) as "isForeign",
      count(*) over () as total
    from unregistered_device unregistered join device on device.id = unregistered.gateway_id join node on node.id = device.node_id
    where device.retired_at is null and device.kind = any(${kinds}::text[]) and ${isDeviceInScope(caller.scope)}
      and (${deviceId ?? null}::bigint is null or device.id = ${deviceId ?? null}::bigint)
      and not (unregistered.via = 'readings' and exists (select from device own where own.concentrator_id = device.id
        and own.serial = unregistered.address and own.retired_at is null))
      and not exists (select from gateway_config, jsonb_array_elements(config -> 'lines') configured
        where gateway_config.device_id = device.id and (
          (unregistered.via = 'unit' and configured ->> 'registration' = unregistered.address)
          or (unregistered.via = 'line' and configured ->> 'id' = unregistered.line and exists (
            select from jsonb_array_elements(configured -> 'devices') child
            where child ->> 'platformId' = unregistered.address
              or ${toComparable(sql`child ->> 'address'`)} = ${toComparable(sql`unregistered.address`)}))))
    order by unregistered.last_at desc, unregistered.id desc limit ${size} offset ${(page - 1) * size}`.execute(
    db,
  )
  return rows
}

/** Profiles of their own that gateways have, by gateway. */
export async function listOwnProfiles(
  db: Database,
  gatewayIds: readonly number[],
): Promise<(gatewayId: number) => readonly DeviceProfile[]> {
  const { rows } = await sql<{ gatewayId: number; profiles: unknown }>`
    select device_id as "gatewayId", config -> 'profiles' as profiles from gateway_config
    where device_id = any(${[...gatewayIds]}::bigint[])
      and jsonb_array_length(config -> 'profiles') > 0`.execute(db)
  const own = new Map(
    rows.map(({ gatewayId, profiles }) => [gatewayId, gatewayConfig.shape.profiles.parse(profiles)]),
  )
  return (gatewayId) => own.get(gatewayId) ?? []
}

/** The drivers of the lines of gateways, by gateway and line. */
export async function listLineDrivers(
  db: Database,
  gatewayIds: readonly number[],
): Promise<(gatewayId: number, line: string) => FieldLine['driver'] | undefined> {
  const { rows } = await sql<{ gatewayId: number; line: string; driver: FieldLine['driver'] }>`
    select device_id as "gatewayId", line ->> 'id' as line, line ->> 'driver' as driver
    from gateway_config, jsonb_array_elements(config -> 'lines') line
    where device_id = any(${[...gatewayIds]}::bigint[])`.execute(db)
  const drivers = new Map(rows.map((row) => [`${row.gatewayId} ${row.line}`, row.driver]))
  return (gatewayId, line) => drivers.get(`${gatewayId} ${line}`)
}

export type UnregisteredPlace = Pick<
  UnregisteredRow,
  'id' | 'gatewayId' | 'via' | 'line' | 'address' | 'said'
>

/** The gateway of a row. Checks no scope. */
export async function findGatewayOf(
  transaction: Transaction<Tables>,
  id: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ gatewayId: number }>`
    select gateway_id as "gatewayId" from unregistered_device where id = ${id}`.execute(transaction)
  return rows[0]?.gatewayId
}

/** A row that is about to be adopted; undefined if somebody else was faster. Checks no scope. */
export async function lockUnregistered(
  transaction: Transaction<Tables>,
  id: number,
): Promise<UnregisteredPlace | undefined> {
  const { rows } = await sql<UnregisteredPlace>`
    select id, gateway_id as "gatewayId", via, line, address, said from unregistered_device
    where id = ${id} for update`.execute(transaction)
  return rows[0]
}

/** Deletes a row whose device is registered. */
export async function forgetUnregistered(transaction: Transaction<Tables>, id: number): Promise<void> {
  await sql`delete from unregistered_device where id = ${id}`.execute(transaction)
}
