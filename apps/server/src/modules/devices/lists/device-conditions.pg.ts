import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toConditions } from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { withStatementTimeout } from '../../../platform/postgres/statement-timeout.pg.ts'
import { isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import { isInside, type Scope } from '../../../platform/scope/scope.ts'
import type { DeviceSelectionQuery } from './device-query.ts'
import { deviceFields, devicesIn, isInUse } from './device-rows.pg.ts'
import { hasText } from './device-text.pg.ts'

/** Time limit for a search that no index serves. The first backend must answer within 5 s. */
const SEARCH_LIMIT_MS = 4_000

/** Devices that the scope covers and a query selects. */
export function matching(db: Database, scope: Scope, query: DeviceSelectionQuery) {
  const { paths, kinds, use, text, ids, filter = [] } = query
  let found = devicesIn(db, scope, isInside(scope, paths))
    .where(isDeviceBelow(paths))
    .where(toConditions(deviceFields, filter))
  if (kinds) found = found.where(sql<SqlBool>`device.kind = any(${[...kinds]}::text[])`)
  if (use) found = found.where(use === 'in-use' ? isInUse : sql<SqlBool>`not ${isInUse}`)
  if (ids) found = found.where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
  if (text) found = found.where(hasText(text))
  return found
}

/**
 * Runs a search by text, filter or order with a time limit. Throws filter.too-wide when it takes longer, and what
 * withListLimits throws.
 */
export function withSearchLimits<Result>(
  db: Database,
  { filter = [] }: Pick<DeviceSelectionQuery, 'filter'>,
  search: (db: Database) => Promise<Result>,
): Promise<Result> {
  return withListLimits(db, filter, async (bounded) => {
    if (bounded !== db) return search(bounded)
    const found = await withStatementTimeout(db, SEARCH_LIMIT_MS, async (transaction) => ({
      result: await search(transaction),
    }))
    if (!found) throw new AppError('filter.too-wide')
    return found.result
  })
}
