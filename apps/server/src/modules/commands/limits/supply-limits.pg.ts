import { type SupplyLimits, USUAL_SUPPLY_LIMITS } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { lockVersion, toStale } from '../../../platform/operation/lock-version.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Retiring } from '../../devices/index.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'

/** Limits of a supply temperature with their version; version 0 for the default limits. */
export interface VersionedSupplyLimits {
  readonly limits: SupplyLimits
  readonly version: number
}

const usual: VersionedSupplyLimits = { limits: USUAL_SUPPLY_LIMITS, version: 0 }

/** Reads the limits of the supply temperatures of stations. Returns a lookup by device. */
export async function findSupplyLimits(
  db: Database,
  deviceIds: readonly number[],
): Promise<(deviceId: number) => VersionedSupplyLimits> {
  const rows = await db
    .selectFrom('supply_limit')
    .where('device_id', 'in', [...deviceIds])
    .selectAll()
    .execute()
  const known = new Map(
    rows.map((row): [number, VersionedSupplyLimits] => [
      row.device_id,
      {
        limits: { minOffsetK: row.min_offset_k, maxOffsetK: row.max_offset_k, maxStepK: row.max_step_k },
        version: row.version,
      },
    ]),
  )
  return (deviceId) => known.get(deviceId) ?? usual
}

/** Replaces the limits of a supply temperature, based on a version. Throws entity.stale. */
export async function setSupplyLimits(
  transaction: Transaction<Tables>,
  deviceId: number,
  { limits, version }: VersionedSupplyLimits,
): Promise<void> {
  const { minOffsetK, maxOffsetK, maxStepK } = limits
  const set = { min_offset_k: minOffsetK, max_offset_k: maxOffsetK, max_step_k: maxStepK }
  // The lock serializes concurrent first changes.
  await transaction.selectFrom('device').where('id', '=', deviceId).select('id').forNoKeyUpdate().execute()
  const row = await transaction
    .selectFrom('supply_limit')
    .where('device_id', '=', deviceId)
    .select('id')
    .executeTakeFirst()
  const stale = { table: 'supply_limit', entity: 'supply-limit', id: row?.id ?? 0, version } as const
  if (!row) {
    if (version !== 0) throw await toStale(transaction, stale)
    await transaction
      .insertInto('supply_limit')
      .values({ device_id: deviceId, ...set })
      .execute()
    return
  }
  await lockVersion(transaction, stale)
  await transaction.updateTable('supply_limit').set(set).where('id', '=', row.id).execute()
}

/** A requested offset of a weather curve, and the current one, K. */
export interface RequestedOffset {
  readonly offsetK: number
  readonly previousK: number | undefined
  readonly isEmergency: boolean
}

/** The allowed range of a requested offset, K; undefined if the offset is inside it. */
export function findOffsetRange(
  { minOffsetK, maxOffsetK, maxStepK }: SupplyLimits,
  { offsetK, previousK, isEmergency }: RequestedOffset,
): { readonly minK: number; readonly maxK: number } | undefined {
  // The step limit does not apply to an emergency; the range does.
  const isFree = isEmergency || previousK === undefined
  // An offset outside of the range may always move towards it.
  const minK = isFree ? minOffsetK : Math.max(minOffsetK, Math.min(maxOffsetK, previousK - maxStepK))
  const maxK = isFree ? maxOffsetK : Math.min(maxOffsetK, Math.max(minOffsetK, previousK + maxStepK))
  return offsetK >= minK && offsetK <= maxK ? undefined : { minK, maxK }
}

/** The error for an offset outside of its range. */
export const toOffsetOutside = (device: string, range: { minK: number; maxK: number }): AppError =>
  new AppError('command.offset-outside', {
    device,
    minK: range.minK,
    maxK: range.maxK,
  })

/** Checks the offsets of a batch against the limits of the stations. The devices must be locked. Throws command.offset-outside. */
export async function checkSupplyLimits(
  transaction: Transaction<Tables>,
  { priority }: Pick<NewBatch, 'priority'>,
  commands: readonly NewCommand[],
): Promise<void> {
  const offsets = commands.filter(({ kind }) => kind === 'supply.set')
  if (offsets.length === 0) return
  const ids = offsets.map(({ deviceId }) => deviceId)
  const limitsOf = await findSupplyLimits(transaction, ids)
  for (const { deviceId, target, previous } of offsets) {
    const offset = { offsetK: target, previousK: previous, isEmergency: priority === 'emergency' }
    const range = findOffsetRange(limitsOf(deviceId).limits, offset)
    if (!range) continue
    const device = await transaction
      .selectFrom('device')
      .where('id', '=', deviceId)
      .select('name')
      .executeTakeFirstOrThrow()
    throw toOffsetOutside(device.name, range)
  }
}

/** Moves the limits of replaced controllers to their replacements, which control the same stations. */
export async function handOverSupplyLimits(
  transaction: Transaction<Tables>,
  { ids }: Pick<Retiring, 'ids'>,
): Promise<void> {
  await sql`
    update supply_limit set device_id = device.replaced_by_id from device
    where device.id = supply_limit.device_id and device.id = any(${[...ids]}::bigint[])
      and device.replaced_by_id is not null`.execute(transaction)
}
