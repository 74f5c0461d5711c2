import type { OutputOf } from '@isotherm/contract/endpoint'
import {
  type Grant,
  type GrantedDevice,
  type getSuidAndDeviceByPuid,
  MAX_DEVICE_IDS,
  type wxGetSubUser4DevByTk,
} from '@isotherm/contract/endpoints/administration/grants'
import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  numberField,
  textField,
  toConditions,
  toOffset,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import { intersectPaths, ROOT_PATH, splitPaths, toDisjointPaths } from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../../network/index.ts'
import { listGrants } from '../../session/index.ts'
import { isDeviceWithin } from './grant-changes.pg.ts'
import { isListedFor, isManagedBy } from './managed.pg.ts'
import type { Page } from './users.pg.ts'

interface Place {
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
}

const placeColumns = sql`node.id as "nodeId", node.uuid::text, node.address`
const toKey = ({ nodeId, uuid, address }: Place) => toNodeKey({ id: nodeId, uuid, address })

interface GrantRow extends Place {
  readonly label: string
  readonly level: number
  readonly nestaddr: string
  readonly device: NonNullable<Grant['device']> | null
}

type SubAccount = OutputOf<typeof getSuidAndDeviceByPuid>['list'][number]

type DeviceRow = Omit<GrantedDevice, 'node'> & Place

const deviceFields: FilterFields = {
  id: numberField(sql`device.id`),
  imei: textField(sql`device.serial`),
  name: textField(sql`device.name`),
  kind: textField(sql`device.kind`),
  model: textField(sql`device.model`),
  nestaddr: textField(sql`node.nestaddr`),
  parentids: textField(sql`node.pids`),
  projectid: textField(sql`split_part(node.path, '/', 2)`),
}

const isGrantedItselfTo = (account: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select from account_device own where own.account_id = ${account} and own.device_id = device.id)`

/** SQL for the devices in use that an account and the caller may see. */
async function findDevicesOf(db: Database, caller: Caller, accountId: number): Promise<RawBuilder<unknown>> {
  const [granted] = await listGrants(db, [accountId])
  const theirs = granted?.seesAll ? sql`true` : isDeviceBelow(toDisjointPaths(granted?.paths ?? []))
  return sql`from device join node on node.id = device.node_id
    where device.retired_at is null and ${isDeviceInScope(caller.scope)} and ${theirs}`
}

const inTreeOrder = sql`node.company_id, node.sort_path, device.serial`

/** Devices in use that an account may see and the caller too, in tree order. */
export async function listGrantedDevices(
  db: Database,
  caller: Caller,
  accountId: number,
  { filter, limiter }: { readonly filter: readonly FilterItem[]; readonly limiter: Limiter },
): Promise<Page<GrantedDevice>> {
  return withListLimits(db, filter, async (bounded) => {
    const found = sql`${await findDevicesOf(bounded, caller, accountId)} and ${toConditions(deviceFields, filter)}`
    const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(bounded)
    const { rows } = await sql<DeviceRow>`
      select device.id, device.serial as imei, device.name, device.kind, device.model, node.nestaddr,
        ${isGrantedItselfTo(sql`${accountId}::bigint`)} as "isGrantedItself", ${placeColumns} ${found}
      order by ${inTreeOrder} limit ${limiter.size} offset ${toOffset(limiter)}`.execute(bounded)
    return {
      rows: rows.map(({ nodeId, uuid, address, ...row }) => ({
        ...row,
        node: toKey({ nodeId, uuid, address }),
      })),
      total: counted.rows[0]?.total ?? 0,
    }
  })
}

/** For each account the first devices in use that it and the caller may see, and their number. */
async function listDeviceIds(
  db: Database,
  caller: Caller,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, Pick<SubAccount, 'deviceIds' | 'devCount'>>> {
  const requested = (await listGrants(db, accountIds)).map(({ accountId, seesAll, paths }) => {
    const theirs = seesAll ? [ROOT_PATH] : paths
    const shared = caller.scope.kind === 'all' ? theirs : intersectPaths(theirs, caller.scope.paths)
    return { account_id: accountId, ...splitPaths(toDisjointPaths(shared)) }
  })
  // '0' follows '/', so a subtree is one range of the index on paths.
  const { rows } = await sql<{ accountId: number; deviceIds: number[]; devCount: number }>`
    select requested.account_id as "accountId", json_agg(held.id order by held.place) as "deviceIds",
      max(held.total)::bigint as "devCount"
    from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb)
      as requested (account_id bigint, "nodePaths" text[], "deviceIds" bigint[])
    cross join lateral (
      select device.id, count(*) over () as total, row_number() over (order by ${inTreeOrder}) as place from (
        select device.id from unnest(requested."nodePaths") granted (path)
        join node on node.path >= granted.path collate "C"
          and node.path < (rtrim(granted.path, '/') || '0') collate "C"
        join device on device.node_id = node.id
        union all select unnest(requested."deviceIds")) given
      join device on device.id = given.id join node on node.id = device.node_id
      where device.retired_at is null
      order by ${inTreeOrder} limit ${MAX_DEVICE_IDS}) held
    group by requested.account_id`.execute(db)
  return new Map(rows.map(({ accountId, ...found }) => [accountId, found]))
}

/** The nodes and devices that an account is granted, in tree order. */
export async function listGrantedPlaces(
  db: Database,
  accountId: number,
  limiter: Limiter,
): Promise<Page<Grant>> {
  const counted = await sql<{ total: number }>`
    select (select count(*) from account_node where account_id = ${accountId})
      + (select count(*) from account_device where account_id = ${accountId}) as total`.execute(db)
  const { rows } = await sql<GrantRow>`
    select ${placeColumns}, node.name as label, node.level, node.nestaddr, given.device from (
      select node_id, null::json as device, '' as serial from account_node where account_id = ${accountId}
      union all
      select device.node_id, json_build_object(
        'id', device.id, 'imei', device.serial, 'name', device.name, 'kind', device.kind), device.serial
      from account_device join device on device.id = account_device.device_id
      where account_device.account_id = ${accountId}) given
    join node on node.id = given.node_id
    order by node.company_id, node.sort_path, given.serial
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  return {
    rows: rows.map(({ nodeId, uuid, address, device, ...row }) => ({
      ...row,
      node: toKey({ nodeId, uuid, address }),
      ...(device === null ? {} : { device }),
    })),
    total: counted.rows[0]?.total ?? 0,
  }
}

/** Modules that an account may use, in menu order. A sub-account only has modules that its parent has too. */
export async function listModulesOf(db: Database, accountId: number): Promise<ModuleItem[]> {
  const has = (account: RawBuilder<unknown>) => sql<SqlBool>`exists (
    select from account_role join role_permission on role_permission.role_id = account_role.role_id
    where account_role.account_id = ${account} and role_permission.permission = module.url)`
  const { rows } = await sql<ModuleItem>`
    select module.id, module.parent_id as "parentId", module.name, module.url, module.icon, module.sort,
      module.enabled
    from module join account on account.id = ${accountId}
    where module.enabled and ${has(sql.ref('account.id'))}
      and (account.parent_id is null or ${has(sql.ref('account.parent_id'))})
    order by module.sort`.execute(db)
  return rows
}

/** Sub-accounts of an account that the caller may see, each with the devices that both may see. */
export async function listSubAccountDevices(
  db: Database,
  caller: Caller,
  parentId: number,
  limiter: Limiter,
): Promise<OutputOf<typeof getSuidAndDeviceByPuid>> {
  const found = sql`from account where account.parent_id = ${parentId}
    and ${isListedFor(caller)} and ${isManagedBy(caller, 'reads')}`
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  const { rows } = await sql<Omit<SubAccount, 'deviceIds' | 'devCount'>>`
    select account.id as suid, account.account, account.name, account.version ${found}
    order by account.account limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const held = await listDeviceIds(
    db,
    caller,
    rows.map(({ suid }) => suid),
  )
  const list = rows.map((row) => ({ ...row, ...(held.get(row.suid) ?? { deviceIds: [], devCount: 0 }) }))
  return { list, total: counted.rows[0]?.total ?? 0 }
}

/** Sub-accounts that may see a device, as far as the caller may see them. */
export async function listHolders(
  db: Database,
  caller: Caller,
  deviceId: number,
  limiter: Limiter,
): Promise<OutputOf<typeof wxGetSubUser4DevByTk>> {
  type Holder = OutputOf<typeof wxGetSubUser4DevByTk>['datalist'][number]
  const found = sql`
    from account join device on device.id = ${deviceId} join node place on place.id = device.node_id
    join lateral (
      select node.*, 'device' as by, 0 as rank from node
      where node.id = device.node_id and ${isGrantedItselfTo(sql.ref('account.id'))}
      union all
      select node.*, 'node', 1 from account_node join node on node.id = account_node.node_id
      where account_node.account_id = account.id and starts_with(place.path, node.path)
      order by rank, path limit 1) node on true
    where account.parent_id is not null
      and ${isDeviceWithin(sql.ref('device.id'), sql.ref('place.path'), sql.ref('account.parent_id'))}
      and ${isListedFor(caller)} and ${isManagedBy(caller, 'reads')}`
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  const { rows } = await sql<Omit<Holder, 'node'> & Place>`
    select account.id as uid, account.account, account.name, account.version, node.by, node.nestaddr,
      ${placeColumns} ${found}
    order by account.account limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  return {
    datalist: rows.map(({ nodeId, uuid, address, ...row }) => ({
      ...row,
      node: toKey({ nodeId, uuid, address }),
    })),
    total: counted.rows[0]?.total ?? 0,
  }
}
