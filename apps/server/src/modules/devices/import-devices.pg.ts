import type { RegistryDevice } from '@isotherm/contract/registry-file'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { toSignal } from '../../platform/signals.pg.ts'
import { type ImportedStructure, RegistryFileError } from '../network/index.ts'
import type { DeviceTable } from './tables.ts'

const ROWS_PER_STATEMENT = 2_000

function toRow(device: RegistryDevice, { companyId, nodeIds }: ImportedStructure): Insertable<DeviceTable> {
  const nodeId = nodeIds.get(device.node)
  if (nodeId === undefined) {
    throw new RegistryFileError(`device "${device.serial}": there is no node "${device.node}"`)
  }
  return {
    company_id: companyId,
    serial: device.serial,
    kind: device.kind,
    name: device.name,
    model: device.model,
    node_id: nodeId,
    concentrator_id: null,
    period_s: device.periodS,
    min_opening_pct: device.limits?.minPct ?? null,
    max_opening_pct: device.limits?.maxPct ?? null,
  }
}

function checkDevices(devices: readonly RegistryDevice[]): void {
  const serials = new Map(devices.map((device) => [device.serial, device]))
  for (const [index, { serial, concentrator }] of devices.entries()) {
    if (serials.get(serial) !== devices[index]) {
      throw new RegistryFileError(`device "${serial}" stands in the file twice`)
    }
    if (concentrator !== null && serials.get(concentrator)?.kind !== 'concentrator') {
      throw new RegistryFileError(`device "${serial}": there is no concentrator "${concentrator}"`)
    }
  }
}

/**
 * Stores the devices of a registry file in one transaction, on the nodes it imported before. Devices there
 * already are brought up to date and keep their ids. Throws RegistryFileError.
 */
export async function importDevices(
  db: Database,
  structure: ImportedStructure,
  devices: readonly RegistryDevice[],
): Promise<void> {
  checkDevices(devices)
  const rows = devices.map((device) => toRow(device, structure))
  await db.transaction().execute(async (transaction) => {
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
  })
}
