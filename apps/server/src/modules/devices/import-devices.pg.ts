import type { RegistryDevice, RegistryFile } from '@isotherm/contract/registry-file'
import { type Insertable, sql, type Transaction } from 'kysely'
import { toSignal } from '../../platform/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { type ImportedStructure, RegistryFileError } from '../network/index.ts'
import type { DeviceTable } from './tables.ts'

const ROWS_PER_STATEMENT = 2_000

function toRow(device: RegistryDevice, { companyId, nodeIds }: ImportedStructure): Insertable<DeviceTable> {
  const nodeId = nodeIds.get(device.node)
  if (nodeId === undefined) throw new Error(`the node "${device.node}" was not imported`)
  return {
    company_id: companyId,
    serial: device.serial,
    kind: device.kind,
    name: device.name,
    model: device.model,
    node_id: nodeId,
    concentrator_id: null,
    imei: device.imei ?? null,
    meter_no: device.meterNo ?? null,
    period_s: device.periodS,
    min_opening_pct: device.limits?.minPct ?? null,
    max_opening_pct: device.limits?.maxPct ?? null,
  }
}

function checkNumbers(devices: readonly RegistryDevice[], field: 'imei' | 'meterNo', name: string): void {
  const known = new Set<string>()
  for (const { serial, [field]: number } of devices) {
    if (number === undefined) continue
    if (known.has(number)) {
      throw new RegistryFileError(`device "${serial}": another device has the ${name} ${number} too`)
    }
    known.add(number)
  }
}

/** Refuses devices that contradict each other or stand on no node of the file. Throws RegistryFileError. */
export function checkDevices({ nodes, devices }: Pick<RegistryFile, 'nodes' | 'devices'>): void {
  const keys = new Set(nodes.map(({ key }) => key))
  const serials = new Map(devices.map((device) => [device.serial, device]))
  const seen = new Set<string>()
  for (const { serial, node, concentrator } of devices) {
    if (!keys.has(node)) throw new RegistryFileError(`device "${serial}": there is no node "${node}"`)
    if (seen.has(serial)) throw new RegistryFileError(`device "${serial}" stands in the file twice`)
    seen.add(serial)
    if (concentrator !== null && serials.get(concentrator)?.kind !== 'concentrator') {
      throw new RegistryFileError(`device "${serial}": there is no concentrator "${concentrator}"`)
    }
  }
  checkNumbers(devices, 'imei', 'IMEI')
  checkNumbers(devices, 'meterNo', 'meter number')
}

/** Takes IMEIs and meter numbers from whoever had them: a radio or a meter's head moves between devices. */
async function freeNumbers(
  db: Transaction<Tables>,
  companyId: number,
  devices: readonly RegistryDevice[],
): Promise<void> {
  for (const [column, field] of [
    ['imei', 'imei'],
    ['meter_no', 'meterNo'],
  ] as const) {
    const numbered = devices.flatMap(({ serial, [field]: number }) => (number ? [{ serial, number }] : []))
    await sql`
      update device set ${sql.ref(column)} = null
      from unnest(${numbered.map(({ serial }) => serial)}::text[], ${numbered.map(({ number }) => number)}::text[])
        given (serial, number)
      where device.company_id = ${companyId} and device.${sql.ref(column)} = given.number
        and device.serial <> given.serial`.execute(db)
  }
}

/** Adds the models that are not known yet. */
const addModels = (db: Transaction<Tables>, devices: readonly RegistryDevice[]) =>
  sql`
    insert into device_model (kind, name)
    select distinct * from unnest(${devices.map(({ kind }) => kind)}::text[],
      ${devices.map(({ model }) => model)}::text[])
    on conflict do nothing`.execute(db)

/**
 * Stores checked devices of a registry file on the nodes imported before, in the same transaction. Devices
 * there already are brought up to date and keep their ids.
 */
export async function importDevices(
  transaction: Transaction<Tables>,
  structure: ImportedStructure,
  devices: readonly RegistryDevice[],
): Promise<void> {
  const rows = devices.map((device) => toRow(device, structure))
  await addModels(transaction, devices)
  await freeNumbers(transaction, structure.companyId, devices)
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await transaction
      .insertInto('device')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'serial']).doUpdateSet(({ ref }) => ({
          kind: ref('excluded.kind'),
          name: ref('excluded.name'),
          model: ref('excluded.model'),
          node_id: ref('excluded.node_id'),
          // A file that does not know them takes nothing away.
          imei: sql<string | null>`coalesce(excluded.imei, device.imei)`,
          meter_no: sql<string | null>`case when excluded.kind = 'heat-meter'
              then coalesce(excluded.meter_no, device.meter_no) end`,
          period_s: ref('excluded.period_s'),
          min_opening_pct: ref('excluded.min_opening_pct'),
          max_opening_pct: ref('excluded.max_opening_pct'),
        })),
      )
      .execute()
  }
  await sql`
      update device set concentrator_id = concentrator.id
      from unnest(${devices.map(({ serial }) => serial)}::text[],
          ${devices.map(({ concentrator }) => concentrator)}::text[]) given (serial, concentrator)
        left join device concentrator
          on concentrator.serial = given.concentrator and concentrator.company_id = ${structure.companyId}
      where device.serial = given.serial and device.company_id = ${structure.companyId}
        and device.concentrator_id is distinct from concentrator.id`.execute(transaction)
  await toSignal('registry_changed', '').execute(transaction)
}
