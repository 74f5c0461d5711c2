import type { DeviceGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type SqlBool, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isServed } from '../../../platform/cell/served.pg.ts'
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
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { isInUse } from '../lists/device-rows.pg.ts'
// Adds this module's tables to those the database knows.
import type {} from '../tables.ts'

/** A device group as stored, without `abilities`, which depend on the caller. */
export interface StoredDeviceGroup extends Omit<DeviceGroup, 'abilities'> {
  /** Whether the caller is granted every device of the group. */
  readonly isWhole: boolean
}

type GroupReader = Pick<Caller, 'scope' | 'companyId'>

const fields: FilterFields = {
  id: numberField(sql`device_group.id`),
  name: textField(sql`device_group.name`),
  description: textField(sql`device_group.description`),
}

/** Condition that the caller may see the group although it is empty. */
function mayBeEmpty({ scope, companyId }: GroupReader) {
  if (companyId !== undefined) return sql<SqlBool>`true`
  return seesEverything(scope) ? isServed('device_group.company_id') : sql<SqlBool>`false`
}

/**
 * Condition that a group is visible: it is of the caller's company and the caller is granted one of its devices. An
 * empty group is visible to everyone of its company and to callers who see everything.
 */
function isVisible({ scope, companyId }: GroupReader) {
  const isOfCompany =
    companyId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`device_group.company_id = ${companyId}`
  return sql<SqlBool>`(${isOfCompany} and (
    exists (
      select from device_group_device member join device on device.id = member.device_id
      join node on node.id = device.node_id
      where member.device_group_id = device_group.id and ${isDeviceInScope(scope)})
    or ${mayBeEmpty({ scope, companyId })} and not exists (
      select from device_group_device member where member.device_group_id = device_group.id)))`
}

const selected = (db: Database | Transaction<Tables>, caller: GroupReader) => {
  const members = sql`
    from device_group_device member join device on device.id = member.device_id
    join node on node.id = device.node_id
    where member.device_group_id = device_group.id`
  const inside = isDeviceInScope(caller.scope)
  return db
    .selectFrom('device_group')
    .where(isVisible(caller))
    .select([
      'device_group.id',
      'device_group.name',
      'device_group.description',
      'device_group.version',
      sql<number[]>`coalesce((
        select json_agg(device.id order by device.id) ${members} and ${inside}), '[]'::json)`.as('deviceIds'),
      sql<number>`(select count(*) ${members} and ${inside} and device.kind = 'valve' and ${isInUse})`.as(
        'valveCount',
      ),
      sql<boolean>`not exists (select ${members} and not ${inside})`.as('isWhole'),
    ])
}

/** Those of `ids` that are visible to the caller, ascending. */
export const findDeviceGroups = (
  db: Database | Transaction<Tables>,
  caller: GroupReader,
  ids: readonly number[],
): Promise<readonly StoredDeviceGroup[]> =>
  selected(db, caller)
    .where(sql<SqlBool>`device_group.id = any(${[...ids]}::bigint[])`)
    .orderBy('device_group.id')
    .execute()

export const listDeviceGroups = (
  db: Database,
  caller: GroupReader,
  { filter, limiter }: { readonly filter: readonly FilterItem[]; readonly limiter: Limiter },
): Promise<{ readonly rows: readonly StoredDeviceGroup[]; readonly total: number }> =>
  withListLimits(db, filter, async (bounded) => {
    const conditions = toConditions(fields, filter)
    const { total } = await bounded
      .selectFrom('device_group')
      .where(isVisible(caller))
      .where(conditions)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await selected(bounded, caller)
      .where(conditions)
      .orderBy('device_group.name')
      .orderBy('device_group.id')
      .limit(limiter.size)
      .offset(toOffset(limiter))
      .execute()
    return { rows, total }
  })

export async function insertDeviceGroup(
  transaction: Transaction<Tables>,
  added: { readonly companyId: number; readonly name: string; readonly description: string },
): Promise<number> {
  const { id } = await transaction
    .insertInto('device_group')
    .values({ company_id: added.companyId, name: added.name, description: added.description })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const getCompanyOfGroup = async (transaction: Transaction<Tables>, id: number): Promise<number> =>
  (
    await transaction
      .selectFrom('device_group')
      .select('company_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).company_id

/** Changes name and description of a locked group and raises its version. Undefined fields stay unchanged. */
export async function changeDeviceGroup(
  transaction: Transaction<Tables>,
  id: number,
  { name, description }: { readonly name?: string | undefined; readonly description?: string | undefined },
): Promise<void> {
  // The version also rises when only the devices change: they are part of what the caller has read.
  await sql`
    update device_group set version = version + 1, name = coalesce(${name ?? null}, name),
      description = coalesce(${description ?? null}, description)
    where id = ${id}`.execute(transaction)
}

/** Sets the devices of a locked group. Throws device.retired for a new one that is retired. */
export async function setGroupDevices(
  transaction: Transaction<Tables>,
  { id, companyId }: { readonly id: number; readonly companyId: number },
  deviceIds: readonly number[],
): Promise<void> {
  const chosen = sql`${[...new Set(deviceIds)]}::bigint[]`
  await sql`
    delete from device_group_device where device_group_id = ${id} and not device_id = any(${chosen})`.execute(
    transaction,
  )
  const { rows } = await sql<{ name: string }>`
    with added as (
      insert into device_group_device (device_group_id, device_id, company_id)
      select ${id}, device_id, ${companyId} from unnest(${chosen}) chosen (device_id)
      on conflict do nothing returning device_id)
    select device.name from added join device on device.id = added.device_id
    where not ${isInUse} order by device.id limit 1`.execute(transaction)
  if (rows[0]) throw new AppError('device.retired', { device: rows[0].name })
}

export async function removeDeviceGroups(
  transaction: Transaction<Tables>,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from device_group where id = any(${[...ids]}::bigint[])`.execute(transaction)
}

/** The valves in use of a group, ascending. Undefined unless the caller is granted every device of the group. */
export async function findGroupValves(
  db: Database,
  caller: GroupReader,
  id: number,
): Promise<{ readonly name: string; readonly valveIds: readonly number[] } | undefined> {
  const [group] = await findDeviceGroups(db, caller, [id])
  if (!group?.isWhole) return undefined
  const { rows } = await sql<{ id: number }>`
    select device.id from device_group_device member join device on device.id = member.device_id
    where member.device_group_id = ${id} and device.kind = 'valve' and ${isInUse} order by device.id`.execute(
    db,
  )
  return { name: group.name, valveIds: rows.map((row) => row.id) }
}
