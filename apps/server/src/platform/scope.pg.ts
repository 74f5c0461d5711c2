import { type Expression, type SqlBool, sql } from 'kysely'
import type { Scope } from './scope.ts'

const toPrefixPatterns = (paths: readonly string[]): string[] => paths.map((path) => `${path}%`)

/** Condition that the path in `column` lies below one of `paths`. Paths hold only digits and slashes. */
export const isBelow = (column: string, paths: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like any(${toPrefixPatterns(paths)}::text[])`

/** Condition that the path in `column` is inside the scope. */
export const isInScope = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isBelow(column, scope.paths)

/** Condition that the path in `column` is inside the scope or leads into it. */
export const isVisible = (column: string, scope: Scope): Expression<SqlBool> =>
  scope.kind === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${isBelow(column, scope.paths)}
        or exists (select from unnest(${[...scope.paths]}::text[]) granted where starts_with(granted, ${sql.ref(column)})))`
