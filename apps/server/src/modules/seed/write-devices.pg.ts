import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../platform/tables.ts'
import { type MadeDevice, reportPeriodS, valveLimits } from './equipment.ts'

/** A made device on its node. */
export interface DeviceRow {
  readonly device: MadeDevice
  readonly id: number
  readonly nodeId: number
  readonly concentratorId: number | null
}

/**
 * Gives devices their ids and those of their concentrators. A device follows the concentrator it speaks through,
 * with no other one in between.
 */
export function createLinking(): (device: MadeDevice, id: number, nodeId: number) => DeviceRow {
  let link: { readonly serial: string; readonly id: number } | undefined
  return (device, id, nodeId) => {
    if (device.kind === 'concentrator') link = { serial: device.serial, id }
    if (device.concentrator !== undefined && device.concentrator !== link?.serial) {
      throw new Error(`${device.serial}: its concentrator ${device.concentrator} does not stand before it`)
    }
    return {
      device,
      id,
      nodeId,
      concentratorId: device.concentrator === undefined ? null : (link?.id ?? null),
    }
  }
}

/** Stores devices, in one statement whatever their number, and the models that are not known yet. */
export async function writeDevices(
  db: Transaction<Tables>,
  companyId: number,
  rows: readonly DeviceRow[],
): Promise<void> {
  const of = <Value>(value: (row: DeviceRow) => Value): Value[] => rows.map(value)
  const kinds = of(({ device }) => device.kind)
  const models = of(({ device }) => device.model)
  const limit = (pct: number) => of(({ device }) => (device.kind === 'valve' ? pct : null))
  await sql`
    insert into device_model (kind, name) select distinct * from unnest(${kinds}::text[], ${models}::text[])
    on conflict do nothing`.execute(db)
  await sql`
    insert into device (id, company_id, serial, kind, name, model, node_id, concentrator_id, imei, meter_no,
      period_s, min_opening_pct, max_opening_pct)
    select id, ${companyId}::bigint, serial, kind, name, model, node_id, concentrator_id, imei, meter_no,
      period_s, min_opening_pct, max_opening_pct
    from unnest(${of(({ id }) => id)}::bigint[], ${of(({ device }) => device.serial)}::text[], ${kinds}::text[],
      ${of(({ device }) => device.name)}::text[], ${models}::text[], ${of(({ nodeId }) => nodeId)}::bigint[],
      ${of(({ concentratorId }) => concentratorId)}::bigint[],
      ${of(({ device }) => device.imei ?? null)}::text[], ${of(({ device }) => device.meterNo ?? null)}::text[],
      ${of(({ device }) => reportPeriodS[device.kind])}::float8[],
      ${limit(valveLimits.minPct)}::float8[], ${limit(valveLimits.maxPct)}::float8[])
      as given (id, serial, kind, name, model, node_id, concentrator_id, imei, meter_no, period_s,
        min_opening_pct, max_opening_pct)`.execute(db)
}
