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
  withPatterns,
} from '../../../platform/postgres/filter.pg.ts'
import { type PreparedStatement, runPrepared } from '../../../platform/postgres/prepared.pg.ts'
import { isInScope, isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { AddressAreaRow, Page, SubUserQuery, SubUserRow } from './store.ts'

const fields: FilterFields = {
  uuid: textField(sql`node.uuid::text`),
  name: textField(sql`node.name`),
  parentids: textField(sql`node.pids`),
  pids: textField(sql`node.pids`),
}

/** Of addresses in tree order those with nothing below: what is below one comes right after it. */
const toLowest = (addresses: readonly string[]): string[] =>
  addresses.filter((address, index) => !addresses[index + 1]?.startsWith(`${address}${ADDRESS_SEPARATOR}`))

/**
 * A list of something of each address of a row of `page` that the scope covers, in tree order; null for none. The
 * addresses of a sub-user inside the scope need not be looked at one by one.
 */
const ofAddresses = (value: RawBuilder<unknown>, scope: Scope, condition = sql<boolean>`true`) => sql`(
  select json_agg(${value} order by node.sort_path) from node
  where node.kind = 'address' and node.uuid = page.uuid and ${condition}
    and (page."isInside" or ${isInScope('node.path', scope)}))`

/** `pids` of what stands below a place begin with its ids, and go on with a comma if at all: '-' follows ','. */
const toRange = (ids: string): readonly [string, string] => [ids, `${ids}-`]

const belowPlace: PreparedStatement = {
  name: 'sub-users-below-place',
  givesWay: true,
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
  givesWay: true,
  text: `select count(*) as total from node where kind = 'sub-user' and pids >= $1 and pids < $2`,
}

/**
 * All sub-users below a place, whoever asks, in tree order, with their lowest addresses. `ids` are those of the
 * place, from its project down, with commas between.
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
 * Sub-users that the scope shows, in tree order, each with its lowest addresses and, where wanted, the floor areas
 * of its addresses, as far as the scope covers them.
 */
export const listSubUsers = (
  db: Database,
  scope: Scope,
  { filter, limiter, withAreas }: SubUserQuery,
): Promise<Page<SubUserRow>> =>
  withPatterns(db, filter, async (bounded) => {
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
