import { type PumpLimits, USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { lockVersion, toStale } from '../../../platform/operation/lock-version.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Retiring } from '../../devices/index.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'

/** Limits of a pump with their version; version 0 for the default limits. */
export interface VersionedPumpLimits {
  readonly limits: PumpLimits
  readonly version: number
}

const usual: VersionedPumpLimits = { limits: USUAL_PUMP_LIMITS, version: 0 }

/** Reads the limits of the pumps of stations. Returns a lookup by device. */
export async function findPumpLimits(
  db: Database,
  deviceIds: readonly number[],
): Promise<(deviceId: number) => VersionedPumpLimits> {
  const rows = await db
    .selectFrom('pump_limit')
    .where('device_id', 'in', [...deviceIds])
    .selectAll()
    .execute()
  const known = new Map(
    rows.map((row): [number, VersionedPumpLimits] => [
      row.device_id,
      {
        limits: { minHeadKpa: row.min_head_kpa, maxHeadKpa: row.max_head_kpa, maxStepKpa: row.max_step_kpa },
        version: row.version,
      },
    ]),
  )
  return (deviceId) => known.get(deviceId) ?? usual
}

/** Replaces the limits of a pump, based on a version. Throws entity.stale. */
export async function setPumpLimits(
  transaction: Transaction<Tables>,
  deviceId: number,
  { limits, version }: VersionedPumpLimits,
): Promise<void> {
  const { minHeadKpa, maxHeadKpa, maxStepKpa } = limits
  const set = { min_head_kpa: minHeadKpa, max_head_kpa: maxHeadKpa, max_step_kpa: maxStepKpa }
  // The lock serializes concurrent first changes.
  await transaction.selectFrom('device').where('id', '=', deviceId).select('id').forNoKeyUpdate().execute()
  const row = await transaction
    .selectFrom('pump_limit')
    .where('device_id', '=', deviceId)
    .select('id')
    .executeTakeFirst()
  const stale = { table: 'pump_limit', entity: 'pump-limit', id: row?.id ?? 0, version } as const
  if (!row) {
    if (version !== 0) throw await toStale(transaction, stale)
    await transaction
      .insertInto('pump_limit')
      .values({ device_id: deviceId, ...set })
      .execute()
    return
  }
  await lockVersion(transaction, stale)
  await transaction.updateTable('pump_limit').set(set).where('id', '=', row.id).execute()
}

/** A requested head of a pump, and the current one, kPa. */
export interface RequestedHead {
  readonly headKpa: number
  readonly previousKpa: number | undefined
  readonly isEmergency: boolean
}

/** The allowed range of a requested head, kPa; undefined if the head is inside it. */
export function findHeadRange(
  { minHeadKpa, maxHeadKpa, maxStepKpa }: PumpLimits,
  { headKpa, previousKpa, isEmergency }: RequestedHead,
): { readonly minKpa: number; readonly maxKpa: number } | undefined {
  // The step limit does not apply to an emergency; the range does.
  const isFree = isEmergency || previousKpa === undefined
  // A head outside of the range may always move towards it.
  const minKpa = isFree ? minHeadKpa : Math.max(minHeadKpa, Math.min(maxHeadKpa, previousKpa - maxStepKpa))
  const maxKpa = isFree ? maxHeadKpa : Math.min(maxHeadKpa, Math.max(minHeadKpa, previousKpa + maxStepKpa))
  return headKpa >= minKpa && headKpa <= maxKpa ? undefined : { minKpa, maxKpa }
}

/** The error for a head outside of its range. */
export const toHeadOutside = (device: string, range: { minKpa: number; maxKpa: number }): AppError =>
  new AppError('command.head-outside', {
    device,
    minKpa: Math.ceil(range.minKpa),
    maxKpa: Math.floor(range.maxKpa),
  })

/** Checks the heads of a batch against the limits of the pumps. The devices must be locked. Throws command.head-outside. */
export async function checkPumpLimits(
  transaction: Transaction<Tables>,
  { priority }: Pick<NewBatch, 'priority'>,
  commands: readonly NewCommand[],
): Promise<void> {
  const heads = commands.filter(({ kind }) => kind === 'pump.set')
  if (heads.length === 0) return
  const ids = heads.map(({ deviceId }) => deviceId)
  const limitsOf = await findPumpLimits(transaction, ids)
  for (const { deviceId, target, previous } of heads) {
    const head = { headKpa: target, previousKpa: previous, isEmergency: priority === 'emergency' }
    const range = findHeadRange(limitsOf(deviceId).limits, head)
    if (!range) continue
    const device = await transaction
      .selectFrom('device')
      .where('id', '=', deviceId)
      .select('name')
      .executeTakeFirstOrThrow()
    throw toHeadOutside(device.name, range)
  }
}

/** Moves the limits of replaced controllers to their replacements, which drive the same pumps. */
export async function handOverPumpLimits(
  transaction: Transaction<Tables>,
  { ids }: Pick<Retiring, 'ids'>,
): Promise<void> {
  await sql`
    update pump_limit set device_id = device.replaced_by_id from device
    where device.id = pump_limit.device_id and device.id = any(${[...ids]}::bigint[])
      and device.replaced_by_id is not null`.execute(transaction)
}
