import { sql, type Transaction } from 'kysely'
import { signalRegistry } from '../../platform/registry-signal.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import type { Run } from './check-structure.pg.ts'
import { noteStored } from './progress.pg.ts'

type Db = Transaction<Tables>

/** Rows of models that are to be stored. */
export async function pickModels(db: Db, { id }: Run, limit: number): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from transfer_row where transfer_id = ${id} and sheet = 'models' and not is_stored
      and verdict in ('added', 'changed') order by row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

export async function storeModels(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  await sql`
    insert into device_model as model (kind, name, maker, description)
    select kind, name, coalesce(maker, ''), coalesce(description, '') from transfer_model
    where transfer_id = ${run.id} and row = any(${[...rows]}::integer[])
    on conflict (kind, name) do update set
      maker = coalesce(nullif(excluded.maker, ''), model.maker),
      description = coalesce(nullif(excluded.description, ''), model.description)
    where ${run.isProvider}`.execute(db)
  await noteStored(db, run.id, 'models', rows)
}

/** Rows of devices that are to be stored and whose node and concentrator are there; concentrators first. */
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

/** Stores devices; those there already keep their ids, and what an empty cell says nothing of. */
export async function storeDevices(db: Db, run: Run, rows: readonly number[]): Promise<void> {
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
  const changed = await sql<{ id: number }>`
    update device set name = coalesce(given.name, device.name), model = coalesce(given.model, device.model),
      node_id = coalesce(given.node_id, device.node_id),
      concentrator_id = coalesce(given.concentrator_id, device.concentrator_id),
      period_s = coalesce(given.period_s, device.period_s), imei = coalesce(given.imei, device.imei),
      meter_no = coalesce(given.meter_no, device.meter_no),
      min_opening_pct = coalesce(given.min_opening_pct, device.min_opening_pct),
      max_opening_pct = coalesce(given.max_opening_pct, device.max_opening_pct),
      description = coalesce(given.description, device.description)
    from (${given}) given where device.company_id = ${run.companyId} and device.serial = given.serial
    returning device.id`.execute(db)
  const added = await sql<{ id: number }>`
    insert into device (company_id, serial, kind, name, model, node_id, concentrator_id, period_s, imei, meter_no,
      min_opening_pct, max_opening_pct, description)
    select ${run.companyId}, serial, kind, name, model, node_id, concentrator_id, period_s, imei, meter_no,
      min_opening_pct, max_opening_pct, coalesce(description, '')
    from (${given}) given where not exists (
      select from device where device.company_id = ${run.companyId} and device.serial = given.serial)
    order by row
    returning id`.execute(db)
  const ids = [...changed.rows, ...added.rows].map(({ id }) => id)
  await signalRegistry(db, { kind: 'devices', ids })
  await noteStored(db, run.id, 'devices', rows)
}
