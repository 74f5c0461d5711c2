import type { SensorPart } from '@isotherm/contract/irrigation'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import { readModelMetrics } from '../../devices/index.ts'
import { parts } from './attached.pg.ts'
import { toParts } from './sensor-parts.ts'

/** A part of a source or a group that a sensor has. */
interface Having {
  readonly key: string
  readonly deviceId: number
  readonly device: string
  readonly model: string
  readonly part: SensorPart
}

/** The parts that sensors have; without ids all. */
async function listHaving(
  transaction: Transaction<Tables>,
  ids: readonly number[] | undefined,
): Promise<readonly Having[]> {
  const { rows } = await sql<Having>`
    select concat_ws(' ', part.source_id, part.group_id, part.part, device.id, device.model) as key, device.id as "deviceId",
      device.name as device, device.model, part.part
    from (${parts}) part join device on device.id = part.device_id
    where part.part in ('meter', 'inlet', 'outlet', 'rain', 'probe')
      and ${ids ? sql`device.id = any(${[...ids]}::bigint[])` : sql`true`}
    order by device.id, part.source_id, part.group_id, part.part`.execute(transaction)
  return rows
}

/** Those that the profile of the model does not fit. */
async function pickUnsuited<Each extends Pick<Having, 'model' | 'part'>>(
  transaction: Transaction<Tables>,
  having: readonly Each[],
): Promise<readonly Each[]> {
  const metrics = await readModelMetrics(transaction, [...new Set(having.map(({ model }) => model))])
  return having.filter(({ model, part }) => {
    const known = metrics.get(model)
    return known !== undefined && !toParts((metric) => known.has(metric)).includes(part)
  })
}

function refuse(unsuited: Pick<Having, 'device' | 'part'> | undefined): void {
  if (!unsuited) return
  const { device, part } = unsuited
  throw new AppError('irrigation.sensor-unsuited', { device, part })
}

/**
 * Guards sensors against a model whose profile does not report what they are there for; without ids, all sensors. Those whose model stays
 * do not count. The returned function throws irrigation.sensor-unsuited.
 */
export async function guardModels(
  transaction: Transaction<Tables>,
  ids?: readonly number[],
): Promise<() => Promise<void>> {
  const before = new Set((await listHaving(transaction, ids)).map(({ key }) => key))
  return async () => {
    const changed = (await listHaving(transaction, ids)).filter(({ key }) => !before.has(key))
    refuse((await pickUnsuited(transaction, changed))[0])
  }
}

/** Throws irrigation.sensor-unsuited if a device that took over parts has another model than the one before, and it does not fit. */
export async function requireSuitedReplacements(
  transaction: Transaction<Tables>,
  replacedIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select device.id from device old join device on device.id = old.replaced_by_id
    where old.id = any(${[...replacedIds]}::bigint[]) and device.model <> old.model`.execute(transaction)
  const having = await listHaving(
    transaction,
    rows.map(({ id }) => id),
  )
  refuse((await pickUnsuited(transaction, having))[0])
}

/** A device that would get a model. */
export interface Remodel {
  readonly row: number
  readonly deviceId: number
  readonly model: string
}

/** The first part of each sensor that would get a model that does not fit. */
export async function listUnsuited(
  transaction: Transaction<Tables>,
  remodels: readonly Remodel[],
): Promise<readonly { readonly row: number; readonly device: string; readonly part: SensorPart }[]> {
  if (remodels.length === 0) return []
  const having = await listHaving(
    transaction,
    remodels.map(({ deviceId }) => deviceId),
  )
  const later = remodels.flatMap(({ row, deviceId, model }) =>
    having
      .filter((one) => one.deviceId === deviceId)
      .map(({ device, part }) => ({ row, device, model, part })),
  )
  const unsuited = await pickUnsuited(transaction, later)
  return unsuited.filter(({ row }, index) => unsuited.findIndex((one) => one.row === row) === index)
}
