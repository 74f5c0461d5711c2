import { sql, type Transaction } from 'kysely'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { listTakenAway, listUnsuited, type Move, type Remodel } from '../../irrigation/index.ts'
import { toFault } from '../sheets/texts.ts'
import type { Run } from './check-structure.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

/** Condition that the account may manage devices of the row's kind. */
const isManaged = ({ managed }: Run) => sql<boolean>`given.kind = any(${[...managed]}::text[])`

/** Computes the verdict of every model row. All companies share the models: staff of a company may only add them. */
export async function checkModels(db: Db, run: Run): Promise<void> {
  const { id, isProvider } = run
  await sql`
    update transfer_row r set verdict = checked.verdict,
      reason = case when checked.verdict = 'failed' then 'access.denied' end
    from (
      select given.row,
        case when model.id is null then case when ${isManaged(run)} then 'added' else 'failed' end
          when coalesce(given.maker, model.maker) = model.maker
            and coalesce(given.description, model.description) = model.description then 'unchanged'
          when ${isProvider} and ${isManaged(run)} then 'changed' else 'failed' end as verdict
      from transfer_model given left join device_model model on model.kind = given.kind and model.name = given.name
      where given.transfer_id = ${id}) checked
    where r.transfer_id = ${id} and r.sheet = 'models' and r.row = checked.row and r.verdict is null`.execute(
    db,
  )
}

/** Condition that another device of the company or an earlier row has the number. */
const isTaken = (run: Run, column: 'imei' | 'meter_no') => {
  const name = sql.ref(column)
  return sql<boolean>`given.${name} is not null and (
    exists (
      select from device other where other.company_id = ${run.companyId} and other.${name} = given.${name}
        and other.serial <> given.serial)
    or exists (
      select from transfer_device earlier where earlier.transfer_id = ${run.id}
        and earlier.${name} = given.${name} and earlier.row < given.row))`
}

/**
 * Condition that a row puts its device elsewhere. An unknown place and a place that the import adds have no id yet: they are
 * elsewhere also for a device without a place.
 */
const isMoved = sql<boolean>`
  given.place is not null and (place.node_id is null or place.node_id is distinct from device.node_id)`

/** Condition that a row changes the existing device. An empty cell changes nothing. */
const isChanged = sql<boolean>`
  coalesce(given.name, device.name) <> device.name or coalesce(given.model, device.model) <> device.model
  or ${isMoved}
  or coalesce(given.concentrator, concentrator.serial) is distinct from concentrator.serial
  or coalesce(given.period_s, device.period_s) <> device.period_s
  or coalesce(given.imei, device.imei) is distinct from device.imei
  or coalesce(given.meter_no, device.meter_no) is distinct from device.meter_no
  or coalesce(given.min_opening_pct, device.min_opening_pct) is distinct from device.min_opening_pct
  or coalesce(given.max_opening_pct, device.max_opening_pct) is distinct from device.max_opening_pct
  or coalesce(given.characteristic, device.characteristic) is distinct from device.characteristic
  or coalesce(given.description, device.description) <> device.description`

/**
 * Condition that the concentrator of a row is in the file with a valid row, or is the one the device already has, or
 * exists and is granted.
 */
const hasConcentrator = ({ id, companyId, scope }: Run) => sql<boolean>`
  exists (
    select from transfer_device other join transfer_row r on r.transfer_id = other.transfer_id
      and r.sheet = 'devices' and r.row = other.row and r.verdict <> 'failed'
    where other.transfer_id = ${id} and other.serial = given.concentrator and other.kind = 'concentrator')
  or coalesce(concentrator.serial = given.concentrator, false)
  or exists (
    select from device join node on node.id = device.node_id
    where device.company_id = ${companyId} and device.serial = given.concentrator
      and device.kind = 'concentrator' and device.retired_at is null and ${isDeviceInScope(scope)})`

async function checkRows(db: Db, run: Run, isConcentrator: boolean): Promise<void> {
  const { id, companyId, scope } = run
  await sql`
    update transfer_row r set verdict = case when checked.reason is null then checked.verdict else 'failed' end,
      reason = checked.reason
    from (
      select given.row,
        case when device.id is null then 'added' when ${isChanged} then 'changed' else 'unchanged' end as verdict,
        case
          when device.id is not null and not ${isDeviceInScope(scope)} then 'device.not-found'
          when not (${isManaged(run)}) and (device.id is null or ${isChanged}) then 'access.denied'
          when device.kind <> given.kind then 'device.kind-differs'
          when device.retired_at is not null then 'device.retired'
          when device.id is null and (given.name is null or given.model is null or given.place is null
            or given.period_s is null) then 'device.incomplete'
          when ${isMoved} and (place.fault is not null or not place.is_open
            or place.node_id is null and not place.is_wanted) then 'node.not-found'
          when ${isTaken(run, 'imei')} then 'device.imei-taken'
          when ${isTaken(run, 'meter_no')} then 'device.meter-taken'
          when given.concentrator is not null and not (${hasConcentrator(run)}) then 'device.no-concentrator'
        end as reason
      from transfer_device given
      left join device on device.company_id = ${companyId} and device.serial = given.serial
      left join node on node.id = device.node_id
      left join device concentrator on concentrator.id = device.concentrator_id
      left join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
      where given.transfer_id = ${id} and (given.kind = 'concentrator') = ${isConcentrator}) checked
    where r.transfer_id = ${id} and r.sheet = 'devices' and r.row = checked.row and r.verdict is null`.execute(
    db,
  )
}

/** Saves the versions the verdicts are valid for: later changes are conflicts. */
async function saveVersions(db: Db, { id, companyId }: Run): Promise<void> {
  await sql`
    update transfer_device given set device_version = device.version from device
    where given.transfer_id = ${id} and device.company_id = ${companyId} and device.serial = given.serial`.execute(
    db,
  )
}

/**
 * Fails rows that take a sensor away from its source of irrigation, as storing them would. A place that the import adds is below the
 * closest one above it that exists, or below none of them in a new project.
 */
async function refuseTaken(db: Db, { id, companyId }: Run): Promise<void> {
  const { rows } = await sql<Move>`
    with recursive up as (
      select given.row, device.id as device, place.place, place.parent, place.node_id
      from transfer_device given
      join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'devices' and r.row = given.row
        and r.verdict = 'changed'
      join device on device.company_id = ${companyId} and device.serial = given.serial
      join transfer_node place on place.transfer_id = given.transfer_id and place.place = given.place
      where given.transfer_id = ${id} and given.kind = 'sensor' and ${isMoved}
      union all
      select up.row, up.device, above.place, above.parent, above.node_id
      from up join transfer_node above on above.transfer_id = ${id} and above.place = up.parent
      where up.node_id is null)
    select up.row, up.device as "deviceId", coalesce(node.path, '') as path
    from up left join node on node.id = up.node_id where up.node_id is not null or up.parent is null`.execute(
    db,
  )
  for (const { row, device, source } of await listTakenAway(db, rows))
    await failRows(db, id, 'devices', [row], toFault('irrigation.sensor-attached', { device, source }))
}

/** Fails rows that give a sensor of irrigation a model that does not report what it is there for, as storing them would. */
async function refuseUnsuited(db: Db, { id, companyId }: Run): Promise<void> {
  const { rows } = await sql<Remodel>`
    select given.row, device.id as "deviceId", given.model
    from transfer_device given
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'devices' and r.row = given.row
      and r.verdict = 'changed'
    join device on device.company_id = ${companyId} and device.serial = given.serial
    where given.transfer_id = ${id} and given.kind = 'sensor' and given.model <> device.model`.execute(db)
  for (const { row, device, part } of await listUnsuited(db, rows))
    await failRows(db, id, 'devices', [row], toFault('irrigation.sensor-unsuited', { device, part }))
}

/** Computes the verdict of every device row, concentrators first because other rows refer to them. */
export async function checkDevices(db: Db, run: Run): Promise<void> {
  await saveVersions(db, run)
  await checkRows(db, run, true)
  await checkRows(db, run, false)
  await refuseTaken(db, run)
  await refuseUnsuited(db, run)
}
