import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../platform/tables.ts'
import { type GeneratedDevice, reportPeriodS, valveLimits } from './equipment.ts'

/** A generated device with its node. */
export interface DeviceRow {
  readonly device: GeneratedDevice
  readonly id: number
  readonly nodeId: number
  readonly concentratorId: number | null
}

/**
 * Returns a function that adds to each device its id and the id of its concentrator. A device must come after its
 * concentrator, with no other concentrator in between.
 */
export function createLinking(): (device: GeneratedDevice, id: number, nodeId: number) => DeviceRow {
  let link: { readonly serial: string; readonly id: number } | undefined
  return (device, id, nodeId) => {
    if (device.kind === 'concentrator') link = { serial: device.serial, id }
    if (device.concentrator !== undefined && device.concentrator !== link?.serial) {
      throw new Error(`${device.serial}: its concentrator ${device.concentrator} is not before it`)
    }
    return {
      device,
      id,
      nodeId,
      concentratorId: device.concentrator === undefined ? null : (link?.id ?? null),
    }
  }
}

/** Stores devices in one statement, and adds unknown models. */
export async function writeDevices(
  db: Transaction<Tables>,
  companyId: number,
  rows: readonly DeviceRow[],
): Promise<void> {
  const given = rows.map(({ device, ...place }) => ({
    ...place,
    ...device,
    periodS: reportPeriodS[device.kind],
    ...(device.kind === 'valve' ? valveLimits : {}),
  }))
  const text = JSON.stringify(given)
  await sql`
    insert into device_model (kind, name)
    select distinct kind, model from json_to_recordset(${text}::json) as given (kind text, model text)
    on conflict do nothing`.execute(db)
  // One JSON text for all rows: an array per column takes the client ten times as long.
  await sql`
    insert into device (id, company_id, serial, kind, name, model, node_id, concentrator_id, imei, meter_no,
      period_s, min_opening_pct, max_opening_pct)
    select id, ${companyId}::bigint, serial, kind, name, model, "nodeId", "concentratorId", imei, "meterNo",
      "periodS", "minPct", "maxPct"
    from json_to_recordset(${text}::json) as given (id bigint, serial text, kind text, name text, model text,
      "nodeId" bigint, "concentratorId" bigint, imei text, "meterNo" text, "periodS" float8, "minPct" float8,
      "maxPct" float8)`.execute(db)
}
