import type { Limiter } from '@isotherm/contract/filter'
import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import {
  type FilterFields,
  textField,
  toConditions,
  toOffset,
  toTotal,
} from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { type PreparedStatement, runPrepared } from '../../../platform/postgres/prepared.pg.ts'
import { isInScope, isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Page, PageQuery } from '../nodes/page.ts'

/** A stored sub-user (building) with its addresses. */
export interface SubUserRow {
  readonly uuid: string
  readonly name: string
  readonly pids: string
  readonly isTest: boolean
  readonly path: string
  readonly version: number
  /** Its lowest addresses that the scope covers, in tree order. */
  readonly addresses: readonly string[]
  /** Floor areas of addresses, in tree order; empty unless requested. */
  readonly areas: readonly AddressAreaRow[]
}

interface AddressAreaRow {
  readonly address: string
  readonly areaM2: number
}

export interface SubUserQuery extends PageQuery {
  readonly withAreas: boolean
}

const fields: FilterFields = {
  uuid: textField(sql`node.uuid::text`),
  name: textField(sql`node.name`),
  parentids: textField(sql`node.pids`),
  pids: textField(sql`node.pids`),
}

/** Of addresses in tree order, those with nothing below them. The addresses below one follow it directly. */
const toLowest = (addresses: readonly string[]): string[] =>
  addresses.filter((address, index) => !addresses[index + 1]?.startsWith(`${address}${ADDRESS_SEPARATOR}`))

/**
 * JSON list of `value` for each address of the current row of `page` that the scope covers, in tree order; null if
 * there are none. For a sub-user inside the scope the addresses are not checked one by one.
 */
const ofAddresses = (value: RawBuilder<unknown>, scope: Scope, condition = sql<boolean>`true`) => sql`(
  select json_agg(${value} order by node.sort_path) from node
  where node.kind = 'address' and node.uuid = page.uuid and ${condition}
    and (page."isInside" or ${isInScope('node.path', scope)}))`

/** Range of the `pids` of everything below a place: its ids, possibly followed by a comma. '-' sorts after ','. */
const toRange = (ids: string): readonly [string, string] => [ids, `${ids}-`]

const belowPlace: PreparedStatement = {
  name: 'sub-users-below-place',
  isSlow: true,
  text: `
    select page.uuid::text, page.name, page.pids, page.is_test as "isTest", page.path, page.version, (
      select json_agg(node.address order by node.sort_path) from node
      where node.kind = 'address' and node.uuid = page.uuid) as addresses
    from (
      select uuid, name, pids, is_test, path, version, company_id, sort_path from node
      where kind = 'sub-user' and pids >= $1 and pids < $2
      order by company_id, sort_path limit $3 offset $4) page
    order by page.company_id, page.sort_path`,
}

const countBelowPlace: PreparedStatement = {
  name: 'count-below-place',
  isSlow: true,
  text: `select count(*) as total from node where kind = 'sub-user' and pids >= $1 and pids < $2`,
}

/**
 * Lists all sub-users below a place, whatever the scope, in tree order, with their lowest addresses. `ids` are the
 * comma-joined ids from the project down to the place.
 */
export async function listSubUsersBelow(
  db: Database,
  ids: string,
  limiter: Limiter,
): Promise<Page<SubUserRow>> {
  type Row = Omit<SubUserRow, 'addresses' | 'areas'> & { readonly addresses: readonly string[] | null }
  const range = toRange(ids)
  const rows = await runPrepared<Row>(db, belowPlace, [...range, limiter.size, toOffset(limiter)])
  const total = await toTotal(limiter, rows.length, async () => {
    const [counted] = await runPrepared<{ total: number }>(db, countBelowPlace, range)
    return counted?.total ?? 0
  })
  return {
    rows: rows.map(({ addresses, ...row }) => ({ ...row, addresses: toLowest(addresses ?? []), areas: [] })),
    total,
  }
}

/**
 * Lists the sub-users that the scope shows, in tree order, with those of their lowest addresses that the scope covers
 * and, if requested, the floor areas of these addresses.
 */
export const listSubUsers = (
  db: Database,
  scope: Scope,
  { filter, limiter, withAreas }: SubUserQuery,
): Promise<Page<SubUserRow>> =>
  withListLimits(db, filter, async (bounded) => {
    const found = bounded
      .selectFrom('node')
      .where('kind', '=', 'sub-user')
      .where(isVisible('node.path', scope))
      .where(toConditions(fields, filter))
    const page = found
      .select(['uuid', 'name', 'pids', 'is_test as isTest', 'path', 'version', 'company_id', 'sort_path'])
      .select(sql<boolean>`${isInScope('node.path', scope)}`.as('isInside'))
      .orderBy('company_id')
      .orderBy('sort_path')
      .limit(limiter.size)
      .offset(toOffset(limiter))
      .as('page')
    const area = sql`json_build_object('address', node.address, 'areaM2', node.area_m2)`
    const rows = await bounded
      .selectFrom(page)
      .select(['name', 'pids', 'isTest', 'path', 'version', sql<string>`page.uuid::text`.as('uuid')])
      .select(sql<string[] | null>`${ofAddresses(sql`node.address`, scope)}`.as('addresses'))
      .$if(withAreas, (query) =>
        query.select(
          sql<
            AddressAreaRow[] | null
          >`${ofAddresses(area, scope, sql<boolean>`node.area_m2 is not null`)}`.as('areas'),
        ),
      )
      .orderBy('page.company_id')
      .orderBy('page.sort_path')
      .execute()
    const total = await toTotal(limiter, rows.length, async () => {
      const counted = await found
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return counted.total
    })
    return {
      rows: rows.map(({ addresses, areas, ...row }) => ({
        ...row,
        addresses: toLowest(addresses ?? []),
        areas: areas ?? [],
      })),
      total,
    }
  })
