import { sql, type Transaction } from 'kysely'
import type { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Retiring } from '../../devices/index.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'

/** A range of values. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** Limits of a setpoint of a station, in the unit of the setpoint: its range, and the largest change by one command. */
export interface SetpointLimits extends Range {
  readonly maxStep: number
}

/** A requested setpoint, and the current one if it is known. */
export interface RequestedSetpoint {
  readonly target: number
  readonly previous: number | undefined
  readonly isEmergency: boolean
}

/** The allowed range of a requested setpoint; undefined if the setpoint is inside it. */
export function findAllowedRange(
  { min, max, maxStep }: SetpointLimits,
  { target, previous, isEmergency }: RequestedSetpoint,
): Range | undefined {
  const clamp = (value: number): number => Math.max(min, Math.min(max, value))
  // The step limit does not apply to an emergency; the range does. A setpoint outside of the range may always move towards it.
  const allowed =
    isEmergency || previous === undefined
      ? { min, max }
      : { min: clamp(previous - maxStep), max: clamp(previous + maxStep) }
  return target >= allowed.min && target <= allowed.max ? undefined : allowed
}

/** How the commands of one kind are checked against the limits of their stations. */
export interface SetpointCheck {
  readonly kind: NewCommand['kind']
  readonly findLimits: (
    db: Database,
    deviceIds: readonly number[],
  ) => Promise<(deviceId: number) => SetpointLimits>
  /** The error for a setpoint outside of its range. */
  readonly toOutside: (device: string, range: Range) => AppError
}

/** Checks the setpoints of a batch. The devices must be locked. Throws the error of the check. */
export async function checkSetpoints(
  transaction: Transaction<Tables>,
  { priority }: Pick<NewBatch, 'priority'>,
  commands: readonly NewCommand[],
  check: SetpointCheck,
): Promise<void> {
  const checked = commands.filter(({ kind }) => kind === check.kind)
  if (checked.length === 0) return
  const ids = checked.map(({ deviceId }) => deviceId)
  const limitsOf = await check.findLimits(transaction, ids)
  for (const { deviceId, target, previous } of checked) {
    const setpoint = { target, previous, isEmergency: priority === 'emergency' }
    const range = findAllowedRange(limitsOf(deviceId), setpoint)
    if (!range) continue
    const device = await transaction
      .selectFrom('device')
      .where('id', '=', deviceId)
      .select('name')
      .executeTakeFirstOrThrow()
    throw check.toOutside(device.name, range)
  }
}

/** Moves the limits of replaced controllers to their replacements, which control the same stations. */
export async function handOverLimits(
  transaction: Transaction<Tables>,
  table: 'pump_limit' | 'supply_limit',
  { ids }: Pick<Retiring, 'ids'>,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set device_id = device.replaced_by_id from device
    where device.id = ${sql.ref(`${table}.device_id`)} and device.id = any(${[...ids]}::bigint[])
      and device.replaced_by_id is not null`.execute(transaction)
}
