import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { sql, type Transaction } from 'kysely'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type AddedNode, addNodes, grantToAccount, lockCompany, toPayload } from '../../network/index.ts'
import { markStored } from '../runs/progress.pg.ts'
import { toFault } from '../sheets/texts.ts'
import type { Run } from './check-structure.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

/** Selects places of one depth to add. Their parents must exist. */
export async function pickPlaces(db: Db, { id }: Run, depth: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select place.place from transfer_node place
    left join transfer_node above on above.transfer_id = place.transfer_id and above.place = place.parent
    where place.transfer_id = ${id} and place.depth = ${depth} and place.is_wanted and place.node_id is null
      and place.fault is null and (place.parent is null or above.node_id is not null)
    order by place.place limit ${limit}`.execute(db)
  return rows.map(({ place }) => place)
}

interface PlaceRow {
  readonly place: string
  readonly row: number | null
  readonly parentId: number | null
  readonly level: number
  readonly name: string
  readonly areaM2: number | null
  readonly description: string | null
  readonly isTest: boolean | null
  readonly emitter: EmitterKind | null
}

/** Reads those of the places that have an existing parent that is still granted. The tree must be locked. */
const readPlaces = async (
  db: Db,
  { id, scope }: Run,
  places: readonly string[],
): Promise<readonly PlaceRow[]> => {
  const { rows } = await sql<PlaceRow>`
    select place.place, place.row, above.node_id as "parentId", place.level, place.name,
      place.area_m2 as "areaM2", place.description, place.is_test as "isTest", place.emitter
    from transfer_node place
    left join transfer_node above on above.transfer_id = place.transfer_id and above.place = place.parent
    left join node on node.id = above.node_id
    where place.transfer_id = ${id} and place.place = any(${[...places]}::text[])
      and (place.parent is null or coalesce(${isInScope('node.path', scope)}, false) and node.id is not null)
    order by place.place`.execute(db)
  return rows
}

const toAdded = ({ parentId, level, name, areaM2, description, isTest, emitter }: PlaceRow): AddedNode => ({
  parentId: parentId ?? undefined,
  level,
  name,
  areaM2: areaM2 ?? undefined,
  description: description ?? '',
  isTest: isTest ?? false,
  emitter: emitter ?? undefined,
})

/** Marks places that conflict with a change since the check as failed. */
export async function dropPlaces(db: Db, { id }: Run, places: readonly string[]): Promise<void> {
  if (places.length === 0) return
  const conflict = toFault('row.conflict')
  const { rows } = await sql<{ row: number | null }>`
    update transfer_node set fault = ${conflict.code}
    where transfer_id = ${id} and place = any(${[...places]}::text[]) returning row`.execute(db)
  const dropped = rows.flatMap(({ row }) => row ?? [])
  await failRows(db, id, 'structure', dropped, conflict)
}

/** Saves the subdivisions of nodes and their places on the map. */
async function saveMarks(db: Db, { id }: Run, places: readonly string[]): Promise<void> {
  await sql`
    insert into subdivision (node_id, stype) select node_id, stype from transfer_node
    where transfer_id = ${id} and place = any(${[...places]}::text[]) and stype is not null
    on conflict (node_id) do update set stype = excluded.stype where subdivision.stype <> excluded.stype`.execute(
    db,
  )
  await sql`
    insert into node_gis (node_id, longitude_deg, latitude_deg)
    select node_id, longitude_deg, latitude_deg from transfer_node
    where transfer_id = ${id} and place = any(${[...places]}::text[]) and longitude_deg is not null
    on conflict (node_id) do update
      set longitude_deg = excluded.longitude_deg, latitude_deg = excluded.latitude_deg
      where (node_gis.longitude_deg, node_gis.latitude_deg)
        is distinct from (excluded.longitude_deg, excluded.latitude_deg)`.execute(db)
}

/** Adds nodes with their subdivisions and places on the map. An account with a limited scope is granted the projects it adds. */
export async function addPlaces(
  db: Db,
  run: Run,
  accountId: number,
  places: readonly string[],
): Promise<void> {
  await lockCompany(db, run.companyId)
  const rows = await readPlaces(db, run, places)
  const open = rows.map(({ place }) => place)
  const isOpen = new Set(open)
  await dropPlaces(
    db,
    run,
    places.filter((place) => !isOpen.has(place)),
  )
  if (rows.length === 0) return
  const ids = await addNodes(db, run.companyId, rows.map(toAdded))
  await sql`
    update transfer_node place set node_id = given.node_id
    from unnest(${open}::text[], ${[...ids]}::bigint[]) given (place, node_id)
    where place.transfer_id = ${run.id} and place.place = given.place`.execute(db)
  await saveMarks(db, run, open)
  if (!seesEverything(run.scope)) {
    const projects = ids.filter((_, index) => rows[index]?.parentId === null)
    for (const project of projects) await grantToAccount(db, accountId, project)
  }
  await markStored(
    db,
    run.id,
    'structure',
    rows.flatMap(({ row }) => row ?? []),
  )
}

/** Selects rows that change existing nodes. */
export async function pickChanges(db: Db, { id }: Run, limit: number): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select row from transfer_row where transfer_id = ${id} and sheet = 'structure' and verdict = 'changed'
      and not is_stored order by row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Condition that the subdivision and the place on the map have not changed since the check, if the row gives them. */
const hasSameMarks = sql<boolean>`
  (place.stype is null or place.mark_version = coalesce((
    select version from subdivision where node_id = node.id), 0))
  and (place.longitude_deg is null or place.gis_version = coalesce((
    select version from node_gis where node_id = node.id), 0))`

/** Changes nodes that have not changed since the check and are still granted. */
export async function changePlaces(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  await lockCompany(db, run.companyId)
  const { rows: changed } = await sql<{ place: string; row: number; above: string }>`
    update node set area_m2 = coalesce(place.area_m2, node.area_m2),
      description = coalesce(place.description, node.description), is_test = coalesce(place.is_test, node.is_test),
      emitter = coalesce(place.emitter, node.emitter)
    from transfer_node place
    where place.transfer_id = ${run.id} and place.row = any(${[...rows]}::integer[])
      and node.id = place.node_id and node.version = place.node_version and ${isInScope('node.path', run.scope)}
      and ${hasSameMarks}
    returning place.place, place.row, regexp_replace(node.path, '[0-9]+/$', '') as above`.execute(db)
  await saveMarks(
    db,
    run,
    changed.map(({ place }) => place),
  )
  const stored = new Set(changed.map(({ row }) => row))
  const left = rows.filter((row) => !stored.has(row))
  await failRows(db, run.id, 'structure', left, toFault('row.conflict'))
  if (stored.size === 0) return
  const paths = [...new Set(changed.map(({ above }) => above))]
  await toSignal('structure_changed', toPayload({ companyId: run.companyId, paths })).execute(db)
  await markStored(db, run.id, 'structure', [...stored])
}
