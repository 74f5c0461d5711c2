import { type SupplyLimits, USUAL_SUPPLY_LIMITS } from '@isotherm/contract/command'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { writeSetting } from '../../../platform/operation/write-setting.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type {} from '../model/tables.ts'
import type { Range, SetpointCheck, SetpointLimits } from './setpoint-limits.pg.ts'

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
  const values = { min_offset_k: minOffsetK, max_offset_k: maxOffsetK, max_step_k: maxStepK }
  const of = { table: 'device', id: deviceId, column: 'device_id' } as const
  await writeSetting(transaction, { table: 'supply_limit', entity: 'supply-limit', of, version }, values)
}

/** The limits of a requested offset, K. */
export const toOffsetLimits = ({ minOffsetK, maxOffsetK, maxStepK }: SupplyLimits): SetpointLimits => ({
  min: minOffsetK,
  max: maxOffsetK,
  maxStep: maxStepK,
})

/** The error for an offset outside of its range. */
export const toOffsetOutside = (device: string, { min, max }: Range): AppError =>
  new AppError('command.offset-outside', { device, minK: min, maxK: max })

/** Checks the offsets of a batch. */
export const offsetCheck: SetpointCheck = {
  kind: 'supply.set',
  findLimits: async (db, deviceIds) => {
    const limitsOf = await findSupplyLimits(db, deviceIds)
    return (deviceId) => toOffsetLimits(limitsOf(deviceId).limits)
  },
  toOutside: toOffsetOutside,
}
