import type { DeviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'

/** A device whose row is locked until the transaction ends. */
export interface LockedDevice {
  readonly id: number
  readonly companyId: number
  readonly kind: DeviceKind
  readonly name: string
  readonly serial: string
  readonly model: string
  readonly imei: string | null
  readonly meterNo: string | null
  readonly nodePath: string
  readonly concentratorId: number | null
  readonly isRetired: boolean
  readonly version: number
}

/** A device and the version that the caller has read. */
export interface Item {
  readonly id: number
  readonly version: number
}

/**
 * Locks devices of the scope, and `others` without a scope check. Locks in order of id, so that two transactions with
 * common devices do not deadlock. Throws device.not-found when one is missing.
 */
export async function lockDevices(
  transaction: Transaction<Tables>,
  scope: Scope,
  ids: readonly number[],
  others: readonly number[] = [],
): Promise<ReadonlyMap<number, LockedDevice>> {
  const distinct = [...new Set([...ids, ...others])]
  // Lock first, join second: a device that was moved during the wait would not join with its old node.
  await sql`select from device where id = any(${distinct}::bigint[]) order by id for update`.execute(
    transaction,
  )
  const { rows } = await sql<LockedDevice>`
    select device.id, device.company_id as "companyId", device.kind, device.name, device.serial, device.model,
      device.imei, device.meter_no as "meterNo", node.path as "nodePath",
      device.concentrator_id as "concentratorId", device.retired_at is not null as "isRetired", device.version
    from device join node on node.id = device.node_id
    where device.id = any(${distinct}::bigint[])
      and (${isDeviceInScope(scope)} or device.id = any(${[...others]}::bigint[]))
    order by device.id`.execute(transaction)
  if (rows.length < distinct.length) throw new AppError('device.not-found')
  return new Map(rows.map((row) => [row.id, row]))
}

/** The locked devices of `items`, in that order. Throws entity.stale and, for one named twice, request.malformed. */
export async function requireVersions(
  transaction: Transaction<Tables>,
  locked: ReadonlyMap<number, LockedDevice>,
  items: readonly Item[],
): Promise<readonly LockedDevice[]> {
  const devices: LockedDevice[] = []
  for (const { id, version } of items) {
    const device = locked.get(id)
    if (!device) throw new AppError('device.not-found')
    // Throws entity.stale with the change and its author.
    if (device.version !== version) {
      await lockVersion(transaction, { table: 'device', entity: 'device', id, version })
    }
    devices.push(device)
  }
  if (new Set(items.map(({ id }) => id)).size < items.length) {
    throw new AppError('request.malformed', { detail: 'items: a device is listed twice' })
  }
  return devices
}

/** The number of devices in use that report through one of `ids` and are not themselves among `ids`. */
export async function countBehind(transaction: Transaction<Tables>, ids: readonly number[]): Promise<number> {
  const isAmong = sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`
  const { rows } = await sql<{ count: number }>`
    select count(*) from device where concentrator_id = any(${[...ids]}::bigint[])
      and retired_at is null and not ${isAmong}`.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Ids of the devices that report through a concentrator. */
export async function listBehind(transaction: Transaction<Tables>, id: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from device where concentrator_id = ${id}`.execute(
    transaction,
  )
  return rows.map((row) => row.id)
}
