import type { InputOf } from '@isotherm/contract/endpoint'
import type { replaceDev } from '@isotherm/contract/endpoints/devices/devices'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { requireManaging } from '../policy.ts'
import { fieldsByConstraint } from './change-devices.pg.ts'
import { type LockedDevice, listBehind, lockDevices, requireVersions } from './device-locks.pg.ts'
import { checkKind, checkModel } from './device-rules.ts'
import { lockModel } from './model-store.pg.ts'
import { touchHolders } from './touch-holders.pg.ts'

export type Replacement = InputOf<typeof replaceDev>

/** Clears a number of the old device that the new one takes over: a radio or a meter head can move between devices. */
async function freeNumbers(
  transaction: Transaction<Tables>,
  old: LockedDevice,
  { radioImei, meterNo }: Replacement,
): Promise<void> {
  const freed = {
    ...(radioImei !== undefined && radioImei === old.imei ? { imei: null } : {}),
    ...(meterNo !== undefined && meterNo === old.meterNo ? { meter_no: null } : {}),
  }
  if (Object.keys(freed).length === 0) return
  await transaction.updateTable('device').set(freed).where('id', '=', old.id).execute()
}

/**
 * Adds the new device. A stated characteristic goes with the model; a measured one is that of the old valve itself.
 */
async function insertNew(
  transaction: Transaction<Tables>,
  old: LockedDevice,
  { imei, radioImei, meterNo, periodS }: Replacement,
  model: string,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, serial, kind, name, model, node_id, concentrator_id, imei, meter_no,
      period_s, min_opening_pct, max_opening_pct, characteristic, description)
    select company_id, ${imei}::text, kind, name, ${model}::text, node_id, concentrator_id, ${radioImei ?? null}::text,
      ${meterNo ?? null}::text, coalesce(${periodS ?? null}::double precision, period_s), min_opening_pct,
      max_opening_pct,
      case when model = ${model}::text and characteristic ->> 'kind' <> 'measured' then characteristic end, description
    from device where id = ${old.id} returning id`.execute(transaction)
  const [row] = rows
  if (!row) throw new AppError('device.not-found')
  return row.id
}

/**
 * Moves everything but the history to the new device: devices that report through it, control devices, groups,
 * grants.
 */
async function handOver(transaction: Transaction<Tables>, from: number, to: number): Promise<void> {
  await sql`update device set concentrator_id = ${to} where concentrator_id = ${from}`.execute(transaction)
  await sql`update control_device set device_id = ${to} where device_id = ${from}`.execute(transaction)
  await sql`
    insert into device_group_device (device_group_id, device_id, company_id)
    select device_group_id, ${to}::bigint, company_id from device_group_device where device_id = ${from}`.execute(
    transaction,
  )
  await sql`delete from device_group_device where device_id = ${from}`.execute(transaction)
  await sql`
    insert into account_device (account_id, device_id)
    select account_id, ${to}::bigint from account_device where device_id = ${from}`.execute(transaction)
  await sql`delete from account_device where device_id = ${from}`.execute(transaction)
}

/**
 * Replaces a device of the caller's scope by a new one and returns the new id. The old device is retired and keeps its
 * history. Throws the errors of replaceDev.
 */
export async function replaceDevice(
  transaction: Transaction<Tables>,
  { caller, operation }: Pick<Call, 'caller' | 'operation'>,
  given: Replacement,
): Promise<number> {
  await touchHolders(transaction, [given.id])
  const behind = await listBehind(transaction, given.id)
  const locked = await lockDevices(transaction, caller.scope, [given.id], behind)
  const [old] = await requireVersions(transaction, locked, [given])
  if (!old) throw new AppError('device.not-found')
  requireManaging(caller, old.kind)
  if (old.isRetired) throw new AppError('device.retired', { device: old.name })
  checkKind({ kind: old.kind, meterNo: given.meterNo })
  const model = given.modelId === undefined ? undefined : await lockModel(transaction, given.modelId)
  if (model) checkModel(old.kind, model)
  await freeNumbers(transaction, old, given)
  const id = await refuseDuplicates(
    fieldsByConstraint,
    insertNew(transaction, old, given, model?.name ?? old.model),
  )
  await handOver(transaction, old.id, id)
  await transaction
    .updateTable('device')
    .set({ retired_at: new Date(operation.at), replaced_by_id: id })
    .where('id', '=', old.id)
    .execute()
  await signalRegistry(transaction, { kind: 'devices', ids: [old.id, id, ...behind] })
  return id
}
