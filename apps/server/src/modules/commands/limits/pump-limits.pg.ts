import { type PumpLimits, USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { writeSetting } from '../../../platform/operation/write-setting.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type {} from '../model/tables.ts'
import type { Range, SetpointCheck, SetpointLimits } from './setpoint-limits.pg.ts'

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
  const values = { min_head_kpa: minHeadKpa, max_head_kpa: maxHeadKpa, max_step_kpa: maxStepKpa }
  const of = { table: 'device', id: deviceId, column: 'device_id' } as const
  await writeSetting(transaction, { table: 'pump_limit', entity: 'pump-limit', of, version }, values)
}

/** The limits of a requested head, kPa. */
export const toHeadLimits = ({ minHeadKpa, maxHeadKpa, maxStepKpa }: PumpLimits): SetpointLimits => ({
  min: minHeadKpa,
  max: maxHeadKpa,
  maxStep: maxStepKpa,
})

/** The error for a head outside of its range. */
export const toHeadOutside = (device: string, { min, max }: Range): AppError =>
  new AppError('command.head-outside', { device, minKpa: Math.ceil(min), maxKpa: Math.floor(max) })

/** Checks the heads of a batch. */
export const headCheck: SetpointCheck = {
  kind: 'pump.set',
  findLimits: async (db, deviceIds) => {
    const limitsOf = await findPumpLimits(db, deviceIds)
    return (deviceId) => toHeadLimits(limitsOf(deviceId).limits)
  },
  toOutside: toHeadOutside,
}
