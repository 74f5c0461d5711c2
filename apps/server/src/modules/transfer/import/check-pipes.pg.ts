import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import type { Run } from './check-structure.pg.ts'

type Db = Transaction<Tables>

/** Rows of pipes with the places of both ends and the existing pipe between them, in either direction. */
export const givenPipes = sql`
  transfer_pipe given
  join transfer_node from_place on from_place.transfer_id = given.transfer_id and from_place.place = given.from_place
  join transfer_node to_place on to_place.transfer_id = given.transfer_id and to_place.place = given.to_place
  left join pipe on least(pipe.from_node_id, pipe.to_node_id) = least(from_place.node_id, to_place.node_id)
    and greatest(pipe.from_node_id, pipe.to_node_id) = greatest(from_place.node_id, to_place.node_id)
    and from_place.node_id is not null and to_place.node_id is not null`

/** Condition that a row changes the existing pipe. An empty cell changes nothing. */
const isChanged = sql<boolean>`
  coalesce(given.length_m, pipe.length_m) <> pipe.length_m
  or coalesce(given.inner_diameter_mm, pipe.inner_diameter_mm) <> pipe.inner_diameter_mm
  or coalesce(given.material, pipe.material) <> pipe.material
  or coalesce(given.roughness_mm, pipe.roughness_mm) is distinct from pipe.roughness_mm
  or coalesce(given.laid_year, pipe.laid_year) is distinct from pipe.laid_year`

/** Condition that a place is not granted, or neither exists nor is added by this import. */
const isMissing = (place: 'from_place' | 'to_place') => sql<boolean>`
  (${sql.ref(`${place}.fault`)} is not null or not ${sql.ref(`${place}.is_open`)}
    or ${sql.ref(`${place}.node_id`)} is null and not ${sql.ref(`${place}.is_wanted`)})`

/** Computes the verdict of every pipe row and saves the versions it is valid for. */
export async function checkPipes(db: Db, { id }: Run): Promise<void> {
  await sql`
    update transfer_pipe t set pipe_version = checked.version
    from (select given.row, pipe.version from ${givenPipes} where given.transfer_id = ${id}) checked
    where t.transfer_id = ${id} and t.row = checked.row`.execute(db)
  await sql`
    update transfer_row r set verdict = case when checked.reason is null then checked.verdict else 'failed' end,
      reason = checked.reason
    from (
      select given.row,
        case when pipe.id is null then 'added' when ${isChanged} then 'changed' else 'unchanged' end as verdict,
        case
          when ${isMissing('from_place')} or ${isMissing('to_place')} then 'node.not-found'
          when pipe.id is null and (given.length_m is null or given.inner_diameter_mm is null) then 'pipe.incomplete'
        end as reason
      from ${givenPipes} where given.transfer_id = ${id}) checked
    where r.transfer_id = ${id} and r.sheet = 'pipes' and r.row = checked.row and r.verdict is null`.execute(
    db,
  )
}
