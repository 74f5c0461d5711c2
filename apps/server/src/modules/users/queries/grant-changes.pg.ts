import { type RawBuilder, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Granted nodes, each with its subtree, and single devices. */
export interface GrantSet {
  readonly nodeIds: readonly number[]
  readonly deviceIds: readonly number[]
}

/** Throws node.not-found or device.not-found for places of another company. Provider staff (null) may be granted all. */
async function requireInCompany(
  transaction: Transaction<Tables>,
  companyId: number | null,
  { nodeIds, deviceIds }: GrantSet,
): Promise<void> {
  if (companyId === null) return
  const isForeign = sql`company_id <> ${companyId}`
  const { rows } = await sql<{ nodes: boolean; devices: boolean }>`
    select exists (select from node where id = any(${[...nodeIds]}::bigint[]) and ${isForeign}) as nodes,
      exists (select from device where id = any(${[...deviceIds]}::bigint[]) and ${isForeign}) as devices`.execute(
    transaction,
  )
  if (rows[0]?.nodes) throw new AppError('node.not-found')
  if (rows[0]?.devices) throw new AppError('device.not-found')
}

export async function addGrants(
  transaction: Transaction<Tables>,
  account: { readonly id: number; readonly companyId: number | null },
  grants: GrantSet,
): Promise<void> {
  await requireInCompany(transaction, account.companyId, grants)
  await sql`insert into account_node (account_id, node_id)
    select ${account.id}::bigint, unnest(${[...grants.nodeIds]}::bigint[]) on conflict do nothing`.execute(
    transaction,
  )
  await sql`insert into account_device (account_id, device_id)
    select ${account.id}::bigint, unnest(${[...grants.deviceIds]}::bigint[]) on conflict do nothing`.execute(
    transaction,
  )
}

/** Removes grants. Throws node.not-found or device.not-found for a place that is not granted itself. */
export async function removeGrants(
  transaction: Transaction<Tables>,
  accountId: number,
  { nodeIds, deviceIds }: GrantSet,
): Promise<void> {
  const nodes = await transaction
    .deleteFrom('account_node')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`node_id = any(${[...nodeIds]}::bigint[])`)
    .returning('node_id')
    .execute()
  if (nodes.length < new Set(nodeIds).size) throw new AppError('node.not-found')
  const devices = await transaction
    .deleteFrom('account_device')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`device_id = any(${[...deviceIds]}::bigint[])`)
    .returning('device_id')
    .execute()
  if (devices.length < new Set(deviceIds).size) throw new AppError('device.not-found')
}

/** Sets exactly these grants. */
export async function replaceGrants(
  transaction: Transaction<Tables>,
  account: { readonly id: number; readonly companyId: number | null },
  grants: GrantSet,
): Promise<void> {
  await sql`delete from account_node
    where account_id = ${account.id} and not node_id = any(${[...grants.nodeIds]}::bigint[])`.execute(
    transaction,
  )
  await sql`delete from account_device
    where account_id = ${account.id} and not device_id = any(${[...grants.deviceIds]}::bigint[])`.execute(
    transaction,
  )
  await addGrants(transaction, account, grants)
}

export async function countGrants(transaction: Transaction<Tables>, accountId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (select count(*) from account_node where account_id = ${accountId})
      + (select count(*) from account_device where account_id = ${accountId}) as total`.execute(transaction)
  return rows[0]?.total ?? 0
}

/** Condition that the grants of `account` cover a node at `path`. */
export const isNodeWithin = (path: RawBuilder<unknown>, account: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from account holder where holder.id = ${account} and holder.sees_all) or exists (
    select from account_node held join node place on place.id = held.node_id
    where held.account_id = ${account} and starts_with(${path}, place.path)))`

/** Condition that `account` is granted the device itself or a node above it. */
export const isDeviceWithin = (
  device: RawBuilder<unknown>,
  path: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`(${isNodeWithin(path, account)} or exists (
    select from account_device held where held.account_id = ${account} and held.device_id = ${device}))`
