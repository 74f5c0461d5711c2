import type { OpeningLimits } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { type SqlBool, sql, type Transaction, type UpdateObject } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import { covers } from '../../../platform/scope/scope.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockControlledNode } from '../control/control-places.pg.ts'
import { requireManaging } from '../policy.ts'
import { checkCharacteristic, toStored } from './characteristic.ts'
import { countBehind, type Item, type LockedDevice, lockDevices, requireVersions } from './device-locks.pg.ts'
import { checkConcentrator, checkKind, checkModel } from './device-rules.ts'
import { lockModel } from './model-store.pg.ts'

/** The changes. Undefined leaves a value unchanged, null removes it. */
export type DeviceChanges = Omit<InputOf<typeof updateDev>, 'id' | 'version'>

type DeviceColumns = UpdateObject<Tables, 'device'>

/** The input field for each unique constraint: another device of the company already has this value. */
export const fieldsByConstraint = {
  device_company_id_serial_key: 'imei',
  device_imei: 'radioImei',
  device_meter_no: 'meterNo',
} as const

const toLimitColumns = (limits: OpeningLimits | null): DeviceColumns => ({
  min_opening_pct: limits?.minPct ?? null,
  max_opening_pct: limits?.maxPct ?? null,
})

/** The columns that every device gets. */
function toColumns(changes: DeviceChanges, at: number): DeviceColumns {
  const { name, radioImei, meterNo, concentratorId, periodS, limits, characteristic, description, use } =
    changes
  return {
    ...(name === undefined ? {} : { name }),
    ...(radioImei === undefined ? {} : { imei: radioImei }),
    ...(meterNo === undefined ? {} : { meter_no: meterNo }),
    ...(concentratorId === undefined ? {} : { concentrator_id: concentratorId }),
    ...(periodS === undefined ? {} : { period_s: periodS }),
    ...(limits === undefined ? {} : toLimitColumns(limits)),
    ...(characteristic === undefined ? {} : { characteristic: toStored(characteristic) }),
    ...(description === undefined ? {} : { description }),
    ...(use === 'retired' ? { retired_at: sql<Date>`coalesce(retired_at, ${new Date(at)})` } : {}),
    ...(use === 'in-use' ? { retired_at: null, replaced_by_id: null } : {}),
  }
}

/** Locks the target node of a move. The old and the new node must be in the scope and in the company of the device. */
async function findPlace(
  transaction: Transaction<Tables>,
  { scope }: Caller,
  devices: readonly LockedDevice[],
  key: string | undefined,
): Promise<DeviceColumns> {
  if (key === undefined) return {}
  const node = await lockControlledNode(transaction, scope, key)
  for (const { companyId, nodePath, name } of devices) {
    if (!covers(scope, nodePath)) throw new AppError('node.not-found')
    if (companyId !== node.companyId) throw new AppError('node.bad-place', { detail: name })
  }
  return { node_id: node.id }
}

/** Throws device.retired: a retired device only accepts a change that also changes its use. */
function checkUse(devices: readonly LockedDevice[], { use }: DeviceChanges): void {
  const retired = devices.find(({ isRetired }) => isRetired)
  if (retired && use === undefined) throw new AppError('device.retired', { device: retired.name })
}

async function checkRetiring(
  transaction: Transaction<Tables>,
  devices: readonly LockedDevice[],
  { use }: DeviceChanges,
): Promise<void> {
  if (use !== 'retired') return
  const behind = await countBehind(
    transaction,
    devices.map(({ id }) => id),
  )
  if (behind > 0) throw new AppError('entity.in-use', { entity: 'device', count: behind })
}

/** Throws device.bad-concentrator unless every device in use keeps a concentrator in use. */
function checkLinks(
  locked: ReadonlyMap<number, LockedDevice>,
  devices: readonly LockedDevice[],
  { concentratorId, use }: DeviceChanges,
): void {
  if (use === 'retired' || (concentratorId === undefined && use === undefined)) return
  const changed = new Set(devices.map(({ id }) => id))
  for (const device of devices) {
    const id = concentratorId === undefined ? device.concentratorId : concentratorId
    const concentrator = id === null ? undefined : locked.get(id)
    // A concentrator that the same call takes into use counts as in use.
    if (concentrator) {
      const isRetired = concentrator.isRetired && !(use === 'in-use' && changed.has(concentrator.id))
      checkConcentrator(device, { ...concentrator, isRetired })
    }
  }
}

/**
 * Makes the same changes to several devices of the caller's scope and signals them. Throws the errors of updateDev;
 * then nothing is changed.
 */
export async function changeDevices(
  transaction: Transaction<Tables>,
  { caller, operation }: Pick<Call, 'caller' | 'operation'>,
  items: readonly Item[],
  changes: DeviceChanges,
): Promise<readonly number[]> {
  const ids = items.map(({ id }) => id)
  const linked = await listLinked(transaction, ids, changes)
  const locked = await lockDevices(transaction, caller.scope, ids, linked)
  const devices = await requireVersions(transaction, locked, items)
  for (const { kind } of devices) {
    requireManaging(caller, kind)
    const { meterNo, limits, characteristic } = changes
    checkKind({ kind, meterNo, limits, characteristic })
  }
  checkCharacteristic(changes.characteristic)
  checkUse(devices, changes)
  await checkRetiring(transaction, devices, changes)
  checkLinks(locked, devices, changes)
  const place = await findPlace(transaction, caller, devices, changes.node)
  const model = changes.modelId === undefined ? undefined : await lockModel(transaction, changes.modelId)
  if (model) for (const { kind } of devices) checkModel(kind, model)
  await refuseDuplicates(
    fieldsByConstraint,
    transaction
      .updateTable('device')
      .set({ ...toColumns(changes, operation.at), ...place, ...(model ? { model: model.name } : {}) })
      .where(sql<SqlBool>`id = any(${ids}::bigint[])`)
      .execute(),
  )
  await signalRegistry(transaction, { kind: 'devices', ids })
  return ids
}

/** Concentrators to lock with the devices: the new one, or the present ones when the devices come into use. */
async function listLinked(
  transaction: Transaction<Tables>,
  ids: readonly number[],
  { concentratorId, use }: DeviceChanges,
): Promise<readonly number[]> {
  if (typeof concentratorId === 'number') return [concentratorId]
  if (concentratorId === null || use !== 'in-use') return []
  const { rows } = await sql<{ id: number }>`
    select distinct concentrator_id as id from device
    where id = any(${[...ids]}::bigint[]) and concentrator_id is not null`.execute(transaction)
  return rows.map(({ id }) => id)
}
