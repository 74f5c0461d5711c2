import { type Expression, type SqlBool, sql } from 'kysely'
import { type Scope, splitPaths } from './scope.ts'

const toPrefixPatterns = (paths: readonly string[]): string[] => paths.map((path) => `${path}%`)

/** Condition that the path in `column` lies below one of `paths`. Paths hold only digits and slashes. */
export const isBelow = (column: string, paths: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like any(${toPrefixPatterns(paths)}::text[])`

/**
 * Condition that a device is one of `paths` or on a node below one of them; for queries of `device` joined with
 * `node`.
 */
export function isDeviceBelow(paths: readonly string[]): Expression<SqlBool> {
  const { nodePaths, deviceIds } = splitPaths(paths)
  if (deviceIds.length === 0) return isBelow('node.path', nodePaths)
  return sql<SqlBool>`(${isBelow('node.path', nodePaths)} or device.id = any(${[...deviceIds]}::bigint[]))`
}

/** Condition that a device is inside the scope; for queries of `device` joined with `node`. */
export const isDeviceInScope = (scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isDeviceBelow(scope.paths)

/** Path of a device, see scope.ts; for queries of `device` joined with `node`. */
export const devicePath = sql<string>`node.path || 'd' || device.id || '/'`

/** Condition that the path in `column` is inside the scope. */
export const isInScope = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isBelow(column, scope.paths)

/** Condition that the path in `column` is inside the scope or leads into it. */
export const isVisible = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${isBelow(column, scope.paths)}
        or exists (select from unnest(${[...scope.paths]}::text[]) granted where starts_with(granted, ${sql.ref(column)})))`
