import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { listAbove, type Scope, splitPaths, toProjectIds } from './scope.ts'

/** Of so few subtrees each is a range of its own, which the index on paths serves. */
const FEW_PATHS = 8

const toPrefixPatterns = (paths: readonly string[]): string[] => paths.map((path) => `${path}%`)

/** Below a path is a range: '0' follows '/', and ids are digits. */
const isInRange = (column: string, path: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} >= ${path}::text collate "C"
    and ${sql.ref(column)} < ${`${path.slice(0, -1)}0`}::text collate "C")`

/** Ids of the nodes below `paths`, found once for a statement and from the paths, not by looking at every node. */
const idsBelow = (paths: readonly string[]): RawBuilder<unknown> => sql`array(
  select below.id from unnest(${[...paths]}::text[]) granted (path) join node below
    on below.path >= granted.path collate "C" and below.path < (rtrim(granted.path, '/') || '0') collate "C")`

/** The column of the id beside a node's path; none where the path is not that of a row of `node`. */
const idColumns: Readonly<Record<string, string>> = {
  path: 'id',
  'node.path': 'node.id',
  'controlled.path': 'controlled.id',
}

/** Condition that the path in `column` lies below one of `paths`. Paths hold only digits and slashes. */
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

/**
 * Condition that a device is one of `paths` or on a node below one of them; for queries of `device` joined with
 * `node`.
 */
export function isDeviceBelow(paths: readonly string[]): Expression<SqlBool> {
  const { nodePaths, deviceIds } = splitPaths(paths)
  if (deviceIds.length === 0) return isBelow('node.path', nodePaths)
  if (nodePaths.length === 0) return sql<SqlBool>`device.id = any(${[...deviceIds]}::bigint[])`
  // Either of two tables may say yes, which no index answers: what each says is found by itself.
  return sql<SqlBool>`device.id in (
    select placed.id from device placed where placed.node_id = any(${idsBelow(nodePaths)})
    union all select unnest(${[...deviceIds]}::bigint[]))`
}

/** Condition that a device is inside the scope; for queries of `device` joined with `node`. */
export const isDeviceInScope = (scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isDeviceBelow(scope.paths)

/** Path of a device, see scope.ts; for queries of `device` joined with `node`. */
export const devicePath = sql<string>`node.path || 'd' || device.id || '/'`

/** Condition that the path in `column` is inside the scope. */
export const isInScope = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isBelow(column, splitPaths(scope.paths).nodePaths)

/** Companies of which something lies at or below `paths`. */
export const companiesOf = (paths: readonly string[]): RawBuilder<unknown> => sql`(
  select distinct project.company_id from node project where project.id = any(${[...toProjectIds(paths)]}::bigint[]))`

/** Condition that the path in `column` is inside the scope or leads into it. */
export function isVisible(column: string, scope: Scope): Expression<SqlBool> {
  if (scope.kind === 'all') return sql<SqlBool>`true`
  const above = [...new Set(scope.paths.flatMap(listAbove))]
  return sql<SqlBool>`(${isInScope(column, scope)} or ${sql.ref(column)} = any(${above}::text[]))`
}
