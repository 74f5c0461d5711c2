import type { Place } from '@isotherm/contract/endpoints/network/zone-gis'
import { sql, type Transaction } from 'kysely'
import { lockVersion, toStale } from '../../../platform/operation/lock-version.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  numberField,
  textField,
  toConditions,
  toOffset,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NodeIdentityRow } from '../nodes/node-key.ts'
import type { Page, PageQuery } from '../nodes/page.ts'
import type { NodeKind } from '../nodes/tables.ts'

/** A node on the map. */
export interface PlaceRow extends NodeIdentityRow {
  readonly name: string
  readonly level: number
  readonly kind: NodeKind
  readonly path: string
  readonly nestaddr: string
  readonly place: Place
  readonly version: number
}

const fields: FilterFields = {
  parentids: textField(sql`node.pids`),
  label: textField(sql`node.name`),
  nestaddr: textField(sql`node.nestaddr`),
  level: numberField(sql`node.level`),
  longitudeDeg: numberField(sql`node_gis.longitude_deg`),
  latitudeDeg: numberField(sql`node_gis.latitude_deg`),
}

const select = (db: Database) =>
  db
    .selectFrom('node_gis')
    .innerJoin('node', 'node.id', 'node_gis.node_id')
    .select([
      'node.id',
      'node.address',
      'node.name',
      'node.level',
      'node.kind',
      'node.path',
      'node.nestaddr',
      'node_gis.version',
      sql<string | null>`node.uuid::text`.as('uuid'),
      sql<Place>`json_build_object('longitudeDeg', longitude_deg, 'latitudeDeg', latitude_deg,
        'outline', outline)`.as('place'),
    ])
    .orderBy('node.company_id')
    .orderBy('node.sort_path')

/** Lists the nodes on the map that the scope covers and that match the filter, in tree order. */
export const listPlaces = (
  db: Database,
  scope: Scope,
  { filter, limiter }: PageQuery,
): Promise<Page<PlaceRow>> =>
  withListLimits(db, filter, async (bounded) => {
    const fits = sql<boolean>`${isInScope('node.path', scope)} and ${toConditions(fields, filter)}`
    const { total } = await bounded
      .selectFrom('node_gis')
      .innerJoin('node', 'node.id', 'node_gis.node_id')
      .where(fits)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await select(bounded).where(fits).limit(limiter.size).offset(toOffset(limiter)).execute()
    return { rows, total }
  })

/** Reads the places of nodes. */
export const readPlaces = (db: Database, nodeIds: readonly number[]): Promise<readonly PlaceRow[]> =>
  select(db)
    .where(sql<boolean>`node_gis.node_id = any(${[...nodeIds]}::bigint[])`)
    .execute()

/**
 * Places a node on the map or, with null, removes it from the map. `version` is the version of the place the caller
 * read; undefined if the caller read that there is none. Throws entity.stale.
 */
export async function savePlace(
  transaction: Transaction<Tables>,
  nodeId: number,
  place: Place | null,
  version: number | undefined,
): Promise<void> {
  // Version 0 never exists: if the node got a place meanwhile, the lock reports entity.stale.
  const stored = { table: 'node_gis', entity: 'zone-gis', id: nodeId, version: version ?? 0 } as const
  const isThere = await lockVersion(transaction, stored)
  // A caller who read a place that was removed since must not restore it unknowingly.
  if (!isThere && version !== undefined) throw await toStale(transaction, stored)
  if (!place) {
    await sql`delete from node_gis where node_id = ${nodeId}`.execute(transaction)
    return
  }
  const outline = place.outline === null ? null : JSON.stringify(place.outline)
  const values = { longitude_deg: place.longitudeDeg, latitude_deg: place.latitudeDeg, outline }
  await transaction
    .insertInto('node_gis')
    .values({ node_id: nodeId, ...values })
    .onConflict((conflict) => conflict.column('node_id').doUpdateSet(values))
    .execute()
}
