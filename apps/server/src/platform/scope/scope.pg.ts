import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { listAbove, type Scope, splitPaths, toProjectIds } from './scope.ts'

/** Up to this number of subtrees each becomes a range condition, which uses the index on paths. */
const FEW_PATHS = 8

const toPrefixPatterns = (paths: readonly string[]): string[] => paths.map((path) => `${path}%`)

/** A subtree is a range of paths: '0' follows '/' in the collation, and ids are digits. */
const isInRange = (column: string, path: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} >= ${path}::text collate "C"
    and ${sql.ref(column)} < ${`${path.slice(0, -1)}0`}::text collate "C")`

/** Ids of the nodes below `paths`. Runs once per statement and uses the index on paths. */
const idsBelow = (paths: readonly string[]): RawBuilder<unknown> => sql`array(
  select below.id from unnest(${[...paths]}::text[]) granted (path) join node below
    on below.path >= granted.path collate "C" and below.path < (rtrim(granted.path, '/') || '0') collate "C")`

/** The id column that belongs to a path column; absent if the path is not that of a row of `node`. */
const idColumns: Readonly<Record<string, string>> = {
  path: 'id',
  'node.path': 'node.id',
  'controlled.path': 'controlled.id',
}

/** Condition: the path in `column` lies below one of `paths`. Paths contain only digits and slashes. */
export function isBelow(column: string, paths: readonly string[]): Expression<SqlBool> {
  if (paths.length === 0) return sql<SqlBool>`false`
  if (paths.length <= FEW_PATHS) {
    const ranges = paths.map((path) => isInRange(column, path))
    return sql<SqlBool>`(${sql.join(ranges, sql` or `)})`
  }
  const id = idColumns[column]
  return id === undefined
    ? sql<SqlBool>`${sql.ref(column)} like any(${toPrefixPatterns(paths)}::text[])`
    : sql<SqlBool>`${sql.ref(id)} = any(${idsBelow(paths)})`
}

/** Condition: the device is one of `paths` or on a node below one of them. For queries of `device` joined with `node`. */
export function isDeviceBelow(paths: readonly string[]): Expression<SqlBool> {
  const { nodePaths, deviceIds } = splitPaths(paths)
  if (deviceIds.length === 0) return isBelow('node.path', nodePaths)
  if (nodePaths.length === 0) return sql<SqlBool>`device.id = any(${[...deviceIds]}::bigint[])`
  // No index serves an `or` over two tables, so each part is queried by itself.
  return sql<SqlBool>`device.id in (
    select placed.id from device placed where placed.node_id = any(${idsBelow(nodePaths)})
    union all select unnest(${[...deviceIds]}::bigint[]))`
}

/** Condition: the device is inside the scope. For queries of `device` joined with `node`. */
export const isDeviceInScope = (scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isDeviceBelow(scope.paths)

/** Path of a device, see scope.ts. For queries of `device` joined with `node`. */
export const devicePath = sql<string>`node.path || 'd' || device.id || '/'`

/** Condition: the path in `column` is inside the scope. */
export const isInScope = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isBelow(column, splitPaths(scope.paths).nodePaths)

/** Subquery of the ids of the companies that own the projects of `paths`. */
export const companiesOf = (paths: readonly string[]): RawBuilder<unknown> => sql`(
  select distinct project.company_id from node project where project.id = any(${[...toProjectIds(paths)]}::bigint[]))`

/** Condition: the path in `column` is inside the scope or that of an ancestor. */
export function isVisible(column: string, scope: Scope): Expression<SqlBool> {
  if (scope.kind === 'all') return sql<SqlBool>`true`
  const above = [...new Set(scope.paths.flatMap(listAbove))]
  return sql<SqlBool>`(${isInScope(column, scope)} or ${sql.ref(column)} = any(${above}::text[]))`
}
