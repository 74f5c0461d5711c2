import type { DeviceUse } from '@isotherm/contract/devices'
import type { ControlDevice, ControlPurpose } from '@isotherm/contract/endpoints/devices/control-devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  flagField,
  numberField,
  textField,
  toConditions,
  toOffset,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isDeviceInScope, isInScope, isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toNodeKey } from '../../network/index.ts'
import { isInUse } from '../lists/device-rows.pg.ts'

/** A control device as stored, without `abilities`, which depend on the caller. */
export interface StoredControlDevice extends Omit<ControlDevice, 'abilities'> {
  readonly use: DeviceUse
  /** Whether the caller may change it: the node is in the scope, or it is the device's own node. */
  readonly isGranted: boolean
}

const fields: FilterFields = {
  id: numberField(sql`control_device.id`),
  deviceId: numberField(sql`control_device.device_id`),
  imei: textField(sql`device.serial`),
  deviceName: textField(sql`device.name`),
  kind: textField(sql`device.kind`),
  purpose: textField(sql`control_device.purpose`),
  name: textField(sql`control_device.name`),
  enabled: flagField(sql`control_device.enabled`),
  parentids: textField(sql`controlled.pids`),
  nestaddr: textField(sql`controlled.nestaddr`),
}

/**
 * Control devices whose device is in the scope and whose node is visible in the tree. A caller who is granted a single
 * device sees what it controls on its own path, and nothing of other nodes.
 */
const shown = (db: Database | Transaction<Tables>, scope: Scope) =>
  db
    .selectFrom('control_device')
    .innerJoin('device', 'device.id', 'control_device.device_id')
    .innerJoin('node', 'node.id', 'device.node_id')
    .innerJoin('node as controlled', 'controlled.id', 'control_device.node_id')
    .where(isDeviceInScope(scope))
    .where(isVisible('controlled.path', scope))

const isGranted = (scope: Scope) =>
  sql<boolean>`(device.node_id = control_device.node_id or ${isInScope('controlled.path', scope)})`

const selected = (db: Database | Transaction<Tables>, scope: Scope) =>
  shown(db, scope).select([
    'control_device.id',
    'control_device.device_id as deviceId',
    'device.serial as imei',
    'device.name as deviceName',
    'device.kind',
    'controlled.id as nodeId',
    sql<string | null>`controlled.uuid::text`.as('uuid'),
    'controlled.address',
    'controlled.nestaddr',
    'control_device.purpose',
    'control_device.name',
    'control_device.enabled',
    'control_device.version',
    sql<DeviceUse>`case when ${isInUse} then 'in-use' else 'retired' end`.as('use'),
    isGranted(scope).as('isGranted'),
  ])

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]

const toControlDevice = ({ nodeId, uuid, address, ...rest }: Row): StoredControlDevice => ({
  ...rest,
  node: toNodeKey({ id: nodeId, uuid, address }),
})

/** Those of `ids` that are visible in the scope, ascending. */
export async function findControlDevices(
  db: Database | Transaction<Tables>,
  scope: Scope,
  ids: readonly number[],
): Promise<readonly StoredControlDevice[]> {
  const rows = await selected(db, scope)
    .where(sql<SqlBool>`control_device.id = any(${[...ids]}::bigint[])`)
    .orderBy('control_device.id')
    .execute()
  return rows.map(toControlDevice)
}

export const listControlDevices = (
  db: Database,
  scope: Scope,
  { filter, limiter }: { readonly filter: readonly FilterItem[]; readonly limiter: Limiter },
) =>
  withListLimits(db, filter, async (bounded) => {
    const conditions = toConditions(fields, filter)
    const { total } = await shown(bounded, scope)
      .where(conditions)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await selected(bounded, scope)
      .where(conditions)
      .orderBy('controlled.company_id')
      .orderBy('controlled.sort_path')
      .orderBy('control_device.id')
      .limit(limiter.size)
      .offset(toOffset(limiter))
      .execute()
    return { rows: rows.map(toControlDevice), total }
  })

export interface NewControlDevice {
  readonly deviceId: number
  readonly companyId: number
  readonly nodeId: number
  readonly purpose: ControlPurpose
  readonly name: string
  readonly enabled: boolean
}

/** Adds control devices in one statement. Returns their ids in the order given. */
export async function insertControlDevices(
  transaction: Transaction<Tables>,
  added: readonly NewControlDevice[],
): Promise<readonly number[]> {
  const rows = await transaction
    .insertInto('control_device')
    .values(
      added.map(({ deviceId, companyId, nodeId, ...rest }) => ({
        ...rest,
        device_id: deviceId,
        company_id: companyId,
        node_id: nodeId,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export interface ControlDeviceChange {
  readonly nodeId: number | undefined
  readonly purpose?: ControlPurpose | undefined
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
}

/** Undefined fields stay unchanged. */
export async function changeControlDevice(
  transaction: Transaction<Tables>,
  id: number,
  { nodeId, purpose, name, enabled }: ControlDeviceChange,
): Promise<void> {
  await sql`
    update control_device set
      node_id = coalesce(${nodeId ?? null}::bigint, node_id), purpose = coalesce(${purpose ?? null}, purpose),
      name = coalesce(${name ?? null}, name), enabled = coalesce(${enabled ?? null}::boolean, enabled)
    where id = ${id}`.execute(transaction)
}

export async function removeControlDevices(
  transaction: Transaction<Tables>,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from control_device where id = any(${[...ids]}::bigint[])`.execute(transaction)
}

/** Those of `ids` that are control devices and whose control devices are all disabled. */
export async function listSwitchedOff(db: Database, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select device_id as id from control_device where device_id = any(${[...ids]}::bigint[])
    group by device_id having not bool_or(enabled)`.execute(db)
  return rows.map(({ id }) => id)
}
