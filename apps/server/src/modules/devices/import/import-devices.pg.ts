import type { RegistryDevice, RegistryFile } from '@isotherm/contract/network/registry-file'
import { type Insertable, sql, type Transaction } from 'kysely'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type ImportedStructure, RegistryFileError } from '../../network/index.ts'
import type { DeviceTable } from '../tables.ts'

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
    characteristic: device.characteristic ? JSON.stringify(device.characteristic) : null,
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

/** Throws RegistryFileError for devices that contradict each other or are on a node that the file does not list. */
export function checkDevices({ nodes, devices }: Pick<RegistryFile, 'nodes' | 'devices'>): void {
  const keys = new Set(nodes.map(({ key }) => key))
  const serials = new Map(devices.map((device) => [device.serial, device]))
  const seen = new Set<string>()
  for (const { serial, node, concentrator } of devices) {
    if (!keys.has(node)) throw new RegistryFileError(`device "${serial}": there is no node "${node}"`)
    if (seen.has(serial)) throw new RegistryFileError(`device "${serial}" is in the file twice`)
    seen.add(serial)
    if (concentrator !== null && serials.get(concentrator)?.kind !== 'concentrator') {
      throw new RegistryFileError(`device "${serial}": there is no concentrator "${concentrator}"`)
    }
  }
  checkNumbers(devices, 'imei', 'IMEI')
  checkNumbers(devices, 'meterNo', 'meter number')
}

/** Serials of the file's devices that were retired meanwhile. The import does not undo that. */
async function listRetired(
  db: Transaction<Tables>,
  companyId: number,
  devices: readonly RegistryDevice[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ serial: string }>`
    select serial from device where company_id = ${companyId} and retired_at is not null
      and serial = any(${devices.map(({ serial }) => serial)}::text[])`.execute(db)
  return new Set(rows.map(({ serial }) => serial))
}

/**
 * Clears IMEIs or meter numbers on other devices of the file and on retired devices: a radio or a meter head can move
 * between devices. Returns the serials of devices whose number belongs to a device in use that is not in the file;
 * that device keeps it.
 */
async function freeNumbers(
  db: Transaction<Tables>,
  companyId: number,
  devices: readonly RegistryDevice[],
  field: 'imei' | 'meterNo',
): Promise<ReadonlySet<string>> {
  const column = sql.ref(field === 'imei' ? 'device.imei' : 'device.meter_no')
  const numbered = devices.flatMap(({ serial, [field]: number }) => (number ? [{ serial, number }] : []))
  const given = sql`unnest(${numbered.map(({ serial }) => serial)}::text[],
    ${numbered.map(({ number }) => number)}::text[]) given (serial, number)`
  await sql`
    update device set ${sql.ref(field === 'imei' ? 'imei' : 'meter_no')} = null from ${given}
    where device.company_id = ${companyId} and ${column} = given.number and device.serial <> given.serial
      and (device.retired_at is not null
        or device.serial = any(${devices.map(({ serial }) => serial)}::text[]))`.execute(db)
  const { rows } = await sql<{ serial: string }>`
    select given.serial from device join ${given} on ${column} = given.number
    where device.company_id = ${companyId} and device.serial <> given.serial`.execute(db)
  return new Set(rows.map(({ serial }) => serial))
}

/**
 * Links devices to the concentrators that the file names, or to the concentrators in use that replaced these. A device
 * whose concentrator was retired without a replacement keeps its present link.
 */
const linkDevices = (db: Transaction<Tables>, companyId: number, devices: readonly RegistryDevice[]) =>
  sql`
    with recursive line as (
      select serial as named, id, retired_at, replaced_by_id from device
      where company_id = ${companyId} and kind = 'concentrator'
        and serial = any(${[...new Set(devices.flatMap(({ concentrator }) => concentrator ?? []))]}::text[])
      union
      select line.named, next.id, next.retired_at, next.replaced_by_id
      from line join device next on next.id = line.replaced_by_id
    )
    update device set concentrator_id = line.id
    from unnest(${devices.map(({ serial }) => serial)}::text[],
        ${devices.map(({ concentrator }) => concentrator)}::text[]) given (serial, concentrator)
      left join line on line.named = given.concentrator and line.retired_at is null
    where device.serial = given.serial and device.company_id = ${companyId} and device.retired_at is null
      and (given.concentrator is null or line.id <> device.id)
      and device.concentrator_id is distinct from line.id`.execute(db)

/** Adds unknown models. */
const addModels = (db: Transaction<Tables>, devices: readonly RegistryDevice[]) =>
  sql`
    insert into device_model (kind, name)
    select distinct * from unnest(${devices.map(({ kind }) => kind)}::text[],
      ${devices.map(({ model }) => model)}::text[])
    on conflict do nothing`.execute(db)

/** Adds devices and updates those in use. */
const upsertDevices = (db: Transaction<Tables>, rows: readonly Insertable<DeviceTable>[]) =>
  db
    .insertInto('device')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'serial'])
        .doUpdateSet(({ ref }) => ({
          kind: ref('excluded.kind'),
          name: ref('excluded.name'),
          model: ref('excluded.model'),
          node_id: ref('excluded.node_id'),
          // A file without these numbers does not remove them.
          imei: sql<string | null>`coalesce(excluded.imei, device.imei)`,
          meter_no: sql<string | null>`case when excluded.kind = 'heat-meter'
              then coalesce(excluded.meter_no, device.meter_no) end`,
          period_s: ref('excluded.period_s'),
          min_opening_pct: ref('excluded.min_opening_pct'),
          max_opening_pct: ref('excluded.max_opening_pct'),
          // What people stated stays.
          characteristic: sql<string | null>`case when excluded.kind = 'valve'
              then coalesce(device.characteristic, excluded.characteristic) end`,
        }))
        .where('device.retired_at', 'is', null),
    )
    .execute()

/**
 * Stores the checked devices of a registry file, in the transaction that imported its nodes. Existing devices are
 * updated and keep their ids. Retired devices stay unchanged.
 */
export async function importDevices(
  transaction: Transaction<Tables>,
  structure: ImportedStructure,
  devices: readonly RegistryDevice[],
): Promise<void> {
  const { companyId } = structure
  await addModels(transaction, devices)
  const retired = await listRetired(transaction, companyId, devices)
  const inUse = devices.filter(({ serial }) => !retired.has(serial))
  const withoutImei = await freeNumbers(transaction, companyId, inUse, 'imei')
  const withoutMeterNo = await freeNumbers(transaction, companyId, inUse, 'meterNo')
  const rows = inUse.map((device) => ({
    ...toRow(device, structure),
    ...(withoutImei.has(device.serial) ? { imei: null } : {}),
    ...(withoutMeterNo.has(device.serial) ? { meter_no: null } : {}),
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await upsertDevices(transaction, rows.slice(start, start + ROWS_PER_STATEMENT))
  }
  await linkDevices(transaction, companyId, inUse)
  await toSignal('registry_changed', '').execute(transaction)
}
