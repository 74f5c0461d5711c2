import { ADDRESS_SEPARATOR } from '@isotherm/contract/tree'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import {
  type FilterFields,
  textField,
  toConditions,
  toOffset,
  toTotal,
  withPatterns,
} from '../../platform/filter.pg.ts'
import { isInScope, isVisible } from '../../platform/scope.pg.ts'
import type { Scope } from '../../platform/scope.ts'
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
