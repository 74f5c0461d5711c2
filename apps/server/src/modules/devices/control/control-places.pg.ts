import type { DeviceUse } from '@isotherm/contract/devices'
import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { isInUse } from '../lists/device-rows.pg.ts'
import type { DeviceTable } from '../tables.ts'

/** A device that will control a node. It is locked, so it does not change until the transaction ends. */
export interface ControllingDevice extends Pick<DeviceTable, 'kind' | 'name'> {
  readonly id: number
  readonly companyId: number
  readonly nodeId: number
  readonly use: DeviceUse
}

/** Locks the devices of `ids` and returns them by id. Throws device.not-found for one that the scope does not cover. */
export async function lockDevices(
  transaction: Transaction<Tables>,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ControllingDevice>> {
  const distinct = [...new Set(ids)]
  // Lock first, join second: a device that was moved during the wait would not join with its old node.
  await sql`select from device where id = any(${distinct}::bigint[]) order by id for share`.execute(
    transaction,
  )
  const { rows } = await sql<ControllingDevice>`
    select device.id, device.kind, device.name, device.company_id as "companyId", device.node_id as "nodeId",
      case when ${isInUse} then 'in-use' else 'retired' end as use
    from device join node on node.id = device.node_id
    where device.id = any(${distinct}::bigint[]) and ${isDeviceInScope(scope)}
    order by device.id`.execute(transaction)
  if (rows.length < distinct.length) throw new AppError('device.not-found')
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locks a node that will be controlled. Throws node.not-found for the root and for a node outside the scope. */
export async function lockControlledNode(
  transaction: Transaction<Tables>,
  scope: Scope,
  key: NodeKey,
): Promise<{
  readonly id: number
  readonly companyId: number
  readonly name: string
  readonly path: string
}> {
  const named = parseNodeKey(key)
  if (named.kind === 'root' || named.kind === 'invalid') throw new AppError('node.not-found')
  const isNamed =
    named.kind === 'group'
      ? sql`id = ${named.id} and kind in ('project', 'group')`
      : named.kind === 'sub-user'
        ? sql`uuid = ${named.uuid}::uuid and kind = 'sub-user'`
        : sql`uuid = ${named.uuid}::uuid and address = ${named.address} and kind = 'address'
            and cardinality(string_to_array(address, '-')) = ${named.depth}`
  const { rows } = await sql<{ id: number; companyId: number; name: string; path: string }>`
    select id, company_id as "companyId", name, path from node
    where ${isNamed} and ${isInScope('path', scope)} for share`.execute(transaction)
  const [row] = rows
  if (!row) throw new AppError('node.not-found')
  return row
}
