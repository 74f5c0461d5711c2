import { sql, type Transaction } from 'kysely'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockCompany } from '../../network/index.ts'
import { markStored } from '../runs/progress.pg.ts'
import { toFault } from '../sheets/texts.ts'
import { givenPipes } from './check-pipes.pg.ts'
import type { Run } from './check-structure.pg.ts'
import { failRows } from './staging.pg.ts'

type Db = Transaction<Tables>

/** Selects rows of pipes to store. Both end nodes must exist. */
export async function pickPipes(db: Db, { id }: Run, limit: number): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select given.row from transfer_pipe given
    join transfer_row r on r.transfer_id = given.transfer_id and r.sheet = 'pipes' and r.row = given.row
      and not r.is_stored and r.verdict in ('added', 'changed')
    join transfer_node from_place on from_place.transfer_id = given.transfer_id and from_place.place = given.from_place
      and from_place.node_id is not null
    join transfer_node to_place on to_place.transfer_id = given.transfer_id and to_place.place = given.to_place
      and to_place.node_id is not null
    where given.transfer_id = ${id} order by given.row limit ${limit}`.execute(db)
  return rows.map(({ row }) => row)
}

/**
 * Stores pipes that have not changed since the check and whose ends are still granted. An empty cell leaves the stored
 * value unchanged.
 */
export async function storePipes(db: Db, run: Run, rows: readonly number[]): Promise<void> {
  const { id, companyId, scope } = run
  await lockCompany(db, companyId)
  const given = sql`
    select given.*, pipe.id as pipe_id, from_place.node_id as from_id, to_place.node_id as to_id
    from ${givenPipes}
    join node from_node on from_node.id = from_place.node_id and ${isInScope('from_node.path', scope)}
    join node to_node on to_node.id = to_place.node_id and ${isInScope('to_node.path', scope)}
    where given.transfer_id = ${id} and given.row = any(${[...rows]}::integer[])
      and pipe.version is not distinct from given.pipe_version`
  const stored = await sql<{ row: number }>`
    with given as materialized (${given}),
    changed as (
      update pipe set length_m = coalesce(given.length_m, pipe.length_m),
        inner_diameter_mm = coalesce(given.inner_diameter_mm, pipe.inner_diameter_mm),
        material = coalesce(given.material, pipe.material),
        roughness_mm = coalesce(given.roughness_mm, pipe.roughness_mm),
        laid_year = coalesce(given.laid_year, pipe.laid_year)
      from given where pipe.id = given.pipe_id returning given.row),
    added as (
      insert into pipe (company_id, from_node_id, to_node_id, length_m, inner_diameter_mm, material, roughness_mm,
        laid_year)
      select ${companyId}, from_id, to_id, length_m, inner_diameter_mm, coalesce(material, 'steel'), roughness_mm,
        laid_year
      from given where pipe_id is null order by row
      returning from_node_id, to_node_id)
    select row from changed
    union all
    select given.row from added join given on given.from_id = added.from_node_id and given.to_id = added.to_node_id`.execute(
    db,
  )
  const isStored = new Set(stored.rows.map(({ row }) => row))
  const left = rows.filter((row) => !isStored.has(row))
  await failRows(db, id, 'pipes', left, toFault('row.conflict'))
  await markStored(db, id, 'pipes', [...isStored])
}
