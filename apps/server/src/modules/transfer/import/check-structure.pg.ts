import type { Permission } from '@isotherm/contract/access/permissions'
import type { DeviceKind } from '@isotherm/contract/devices'
import { sql, type Transaction } from 'kysely'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'

/** A run with the rights of its account. */
export interface Run {
  readonly id: number
  readonly companyId: number
  readonly scope: Scope
  /** True for staff of the provider, who may change the models shared by all companies. */
  readonly isProvider: boolean
  readonly permissions: ReadonlySet<Permission>
  /** Device kinds that the account may change, with their models. */
  readonly managed: readonly DeviceKind[]
}

type Db = Transaction<Tables>

/** Depths of the tree, the project first. */
export const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8] as const

const childOf = sql`node.parent_id = above.node_id`
const project = sql`node.kind = 'project'`

/**
 * Finds the existing nodes at the places of one depth; the places above must be done. An existing node is open if it
 * is granted, a new place if its parent is open. A new project is open to every account that may import a tree.
 */
async function findNodes(db: Db, { id, companyId, scope }: Run, depth: number): Promise<void> {
  await sql`
    update transfer_node t set node_id = found.id, node_version = found.version, is_open = found.is_open,
      mark_version = found.mark_version, gis_version = found.gis_version, fault = found.fault
    from (
      select place.place, node.id, node.version,
        coalesce(subdivision.version, 0) as mark_version, coalesce(gis.version, 0) as gis_version,
        case when node.id is null then ${depth} = 1 or coalesce(above.is_open, false)
          else ${isInScope('node.path', scope)} end as is_open,
        coalesce(above.fault, case when node.level <> place.level then 'row.other-level' end) as fault
      from transfer_node place
      left join transfer_node above on above.transfer_id = place.transfer_id and above.place = place.parent
      left join node on node.company_id = ${companyId} and node.name = place.name
        and ${depth === 1 ? project : childOf}
      left join subdivision on subdivision.node_id = node.id
      left join node_gis gis on gis.node_id = node.id
      where place.transfer_id = ${id} and place.depth = ${depth}) found
    where t.transfer_id = ${id} and t.place = found.place`.execute(db)
}

/** Condition that a row changes the existing node. An empty cell changes nothing. */
const isChanged = sql<boolean>`
  coalesce(place.area_m2, node.area_m2) is distinct from node.area_m2
  or coalesce(place.stype, subdivision.stype) is distinct from subdivision.stype
  or coalesce(place.description, node.description) <> node.description
  or coalesce(place.emitter, node.emitter) is distinct from node.emitter
  or coalesce(place.is_test, node.is_test) <> node.is_test
  or coalesce(place.longitude_deg, gis.longitude_deg) is distinct from gis.longitude_deg
  or coalesce(place.latitude_deg, gis.latitude_deg) is distinct from gis.latitude_deg`

async function checkRows(db: Db, { id }: Run): Promise<void> {
  await sql`
    update transfer_row r set verdict = case when checked.reason is null then checked.verdict else 'failed' end,
      reason = checked.reason
    from (
      select place.row,
        case when place.node_id is null then 'added' when ${isChanged} then 'changed' else 'unchanged' end as verdict,
        case when not place.is_open then 'node.not-found' else place.fault end as reason
      from transfer_node place
      left join node on node.id = place.node_id
      left join subdivision on subdivision.node_id = place.node_id
      left join node_gis gis on gis.node_id = place.node_id
      where place.transfer_id = ${id} and place.row is not null) checked
    where r.transfer_id = ${id} and r.sheet = 'structure' and r.row = checked.row and r.verdict is null`.execute(
    db,
  )
}

/** Marks the places that valid rows need: their own and all above. */
async function findWanted(db: Db, { id }: Run, depth: number): Promise<void> {
  await sql`
    update transfer_node place set is_wanted = true
    where place.transfer_id = ${id} and place.depth = ${depth} and (
      exists (
        select from transfer_row r where r.transfer_id = ${id} and r.sheet = 'structure' and r.row = place.row
          and r.verdict <> 'failed')
      or exists (
        select from transfer_node below where below.transfer_id = ${id} and below.parent = place.place
          and below.is_wanted))`.execute(db)
}

/** Computes the verdict of every structure row. */
export async function checkStructure(db: Db, run: Run): Promise<void> {
  for (const depth of DEPTHS) await findNodes(db, run, depth)
  await checkRows(db, run)
  for (const depth of DEPTHS.toReversed()) await findWanted(db, run, depth)
}
