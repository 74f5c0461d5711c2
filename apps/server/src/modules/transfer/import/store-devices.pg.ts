import { sql, type Transaction } from 'kysely'
import { isDeviceInScope, isInScope } from '../../../platform/scope/scope.pg.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { guardModels, guardSensors } from '../../irrigation/index.ts'
import { lockCompany } from '../../network/index.ts'
import { markStored } from '../runs/progress.pg.ts'
import { toFault } from '../sheets/texts.ts'
import type { Run } from './check-structure.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

/** Selects rows of models to store. */
export async function pickModels(db: Db, { id }: Run, limit: number): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from transfer_row where transfer_id = ${id} and sheet = 'models' and not is_stored
      and verdict in ('added', 'changed') order by row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Adds models that still do not exist. Only the provider changes existing ones. */
export async function storeModels(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  const given = sql`
    select given.*, r.verdict from transfer_model given
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'models' and r.row = given.row
    where given.transfer_id = ${run.id} and given.row = any(${[...rows]}::integer[])
      and given.kind = any(${[...run.managed]}::text[])`
  const stored = await sql<{ row: number }>`
    with changed as (
      update device_model model set maker = coalesce(given.maker, model.maker),
        description = coalesce(given.description, model.description)
      from (${given}) given where given.verdict = 'changed' and ${run.isProvider}
        and model.kind = given.kind and model.name = given.name
      returning given.row),
    added as (
      insert into device_model (kind, name, maker, description)
      select kind, name, coalesce(maker, ''), coalesce(description, '') from (${given}) given
      where verdict = 'added' on conflict (kind, name) do nothing
      returning kind, name)
    select row from changed
    union all select given.row from added join (${given}) given using (kind, name)`.execute(db)
  const isStored = new Set(stored.rows.map(({ row }) => row))
  const left = rows.filter((row) => !isStored.has(row))
  await failRows(db, run.id, 'models', left, toFault('row.conflict'))
  await markStored(db, run.id, 'models', [...isStored])
}

/** Selects rows of devices to store, concentrators first. The node and the concentrator must exist. */
export async function pickDevices(db: Db, { id, companyId }: Run, limit: number): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select given.row from transfer_device given
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'devices' and r.row = given.row
      and not r.is_stored and r.verdict in ('added', 'changed')
    left join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
    where given.transfer_id = ${id} and (given.place is null or place.node_id is not null)
      and (given.concentrator is null or exists (
        select from device where company_id = ${companyId} and serial = given.concentrator
          and kind = 'concentrator'))
    order by given.kind <> 'concentrator', given.row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Locks the devices of the rows and the tree of the company. */
async function lockRows(db: Db, { id, companyId }: Run, rows: readonly number[]): Promise<void> {
  await lockCompany(db, companyId)
  await sql`
    select from device where company_id = ${companyId} and serial in (
      select serial from transfer_device where transfer_id = ${id} and row = any(${[...rows]}::integer[]))
    order by id for no key update`.execute(db)
}

/** Condition that the concentrator of a row is the one the device already has, or is still granted. */
const hasConcentrator = ({ companyId, scope }: Run) => sql<boolean>`
  given.concentrator is null
  or exists (
    select from device own where own.id = device.concentrator_id and own.serial = given.concentrator)
  or exists (
    select from device join node on node.id = device.node_id
    where device.company_id = ${companyId} and device.serial = given.concentrator
      and device.kind = 'concentrator' and device.retired_at is null and ${isDeviceInScope(scope)})`

/** Selects the rows whose device, node and concentrator have not changed since the check and are still granted. */
async function pickUnchanged(db: Db, run: Run, rows: readonly number[]): Promise<number[]> {
  const { id, companyId, scope, managed } = run
  const found = await sql<{ row: number }>`
    select given.row from transfer_device given
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'devices' and r.row = given.row
    left join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
    left join device on device.company_id = ${companyId} and device.serial = given.serial
    left join node on node.id = device.node_id
    where given.transfer_id = ${id} and given.row = any(${[...rows]}::integer[])
      and given.kind = any(${[...managed]}::text[])
      and case when r.verdict = 'added' then device.id is null
        else device.version = given.device_version and device.kind = given.kind and device.retired_at is null
          and ${isDeviceInScope(scope)} end
      and (given.place is null or place.node_id is not distinct from device.node_id or exists (
        select from node where node.id = place.node_id and ${isInScope('node.path', scope)}))
      and (${hasConcentrator(run)})`.execute(db)
  return found.rows.map(({ row }) => row)
}

/** Stores devices. Existing devices keep their ids; an empty cell leaves the stored value unchanged. */
export async function storeDevices(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  await lockRows(db, run, rows)
  const unchanged = await pickUnchanged(db, run, rows)
  const isUnchanged = new Set(unchanged)
  const left = rows.filter((row) => !isUnchanged.has(row))
  await failRows(db, run.id, 'devices', left, toFault('row.conflict'))
  if (unchanged.length > 0) await writeDevices(db, run, unchanged)
}

async function writeDevices(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  const given = sql`
    select given.*, place.node_id, concentrator.id as concentrator_id from transfer_device given
    left join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
    left join device concentrator on concentrator.company_id = ${run.companyId}
      and concentrator.serial = given.concentrator
    where given.transfer_id = ${run.id} and given.row = any(${[...rows]}::integer[])`
  await sql`
    insert into device_model (kind, name)
    select distinct kind, model from (${given}) given where model is not null
    on conflict do nothing`.execute(db)
  const requireInPlace = await guardSensors(db)
  const requireSuited = await guardModels(db)
  const changed = await sql<{ id: number }>`
    update device set name = coalesce(given.name, device.name), model = coalesce(given.model, device.model),
      node_id = coalesce(given.node_id, device.node_id),
      concentrator_id = coalesce(given.concentrator_id, device.concentrator_id),
      period_s = coalesce(given.period_s, device.period_s), imei = coalesce(given.imei, device.imei),
      meter_no = coalesce(given.meter_no, device.meter_no),
      min_opening_pct = coalesce(given.min_opening_pct, device.min_opening_pct),
      max_opening_pct = coalesce(given.max_opening_pct, device.max_opening_pct),
      characteristic = coalesce(given.characteristic, device.characteristic),
      description = coalesce(given.description, device.description)
    from (${given}) given where device.company_id = ${run.companyId} and device.serial = given.serial
    returning device.id`.execute(db)
  await requireInPlace()
  await requireSuited()
  const added = await sql<{ id: number }>`
    insert into device (company_id, serial, kind, name, model, node_id, concentrator_id, period_s, imei, meter_no,
      min_opening_pct, max_opening_pct, characteristic, description)
    select ${run.companyId}, serial, kind, name, model, node_id, concentrator_id, period_s, imei, meter_no,
      min_opening_pct, max_opening_pct, characteristic, coalesce(description, '')
    from (${given}) given where not exists (
      select from device where device.company_id = ${run.companyId} and device.serial = given.serial)
    order by row
    returning id`.execute(db)
  const ids = [...changed.rows, ...added.rows].map(({ id }) => id)
  await signalRegistry(db, { kind: 'devices', ids })
  await markStored(db, run.id, 'devices', rows)
}
