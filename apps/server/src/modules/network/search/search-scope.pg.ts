import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { type Scope, splitPaths } from '../../../platform/scope/scope.ts'
import { idsOf, type LargeSearchScope, type SearchScope } from './search-scope.ts'
import { readSmallTree } from './small-tree.pg.ts'

/** A scope of at most this many nodes is searched in memory, a larger one through the names of its companies. */
const FEW_NODES = 3_000
/** Up to this many subtrees are compared with a path one by one; for more, the ids in the path are looked up. */
const FEW_SUBTREES = 20

/** Nodes of the subtrees at `paths`, found by the index on paths: '0' is the character after '/', and ids are digits. */
export const nodesBelow = (paths: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${[...paths]}::text[]) granted (path) join node on node.path >= granted.path collate "C"
    and node.path < (rtrim(granted.path, '/') || '0') collate "C"`

/** Returns the search scope of a caller's scope; its paths must be disjoint. */
export async function openSearchScope(db: Database, scope: Scope): Promise<SearchScope> {
  if (scope.kind === 'all') return { kind: 'everything' }
  const { nodePaths, deviceIds } = splitPaths(scope.paths)
  // One row in any case: a large scope must not transfer thousands of rows only to prove that it is large.
  const { rows } = await sql<{ ids: number[] | null }>`
    select case when not exists (select from ${nodesBelow(nodePaths)} offset ${FEW_NODES} limit 1)
      then (select coalesce(json_agg(node.id), '[]') from ${nodesBelow(nodePaths)}) end as ids`.execute(db)
  const above = nodePaths.map(idsOf)
  const inside = rows[0]?.ids
  if (inside) return { kind: 'nodes', inside, tree: await readSmallTree(db, inside, above.flat()), deviceIds }
  const ids = above.flatMap((steps) => steps.at(-1) ?? [])
  const companies = await sql<{ id: number }>`
    select distinct company_id as id from node where id = any(${ids}::bigint[]) order by id`.execute(db)
  const companyIds = companies.rows.map(({ id }) => id)
  return { kind: 'subtrees', paths: nodePaths, ids, companyIds, deviceIds }
}

// `+ 0` prevents an index condition, with which the planner would scan all ids again for each row.
const isAmong = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} + 0 = any(${[...ids]}::bigint[])`

/** Condition that a node is inside the search scope. `table` has the columns id and path. */
export function isInSearchScope(table: string, searchScope: SearchScope): RawBuilder<boolean> {
  if (searchScope.kind === 'everything') return sql<boolean>`true`
  if (searchScope.kind === 'nodes') return isAmong(`${table}.id`, searchScope.inside)
  if (searchScope.paths.length <= FEW_SUBTREES)
    return sql<boolean>`${isBelow(`${table}.path`, searchScope.paths)}`
  return sql<boolean>`exists (
    select from unnest(string_to_array(trim(both '/' from ${sql.ref(`${table}.path`)}), '/')::bigint[]) step (id)
    where step.id = any(${[...searchScope.ids]}::bigint[]))`
}

/** Condition that drops nodes neither inside the search scope nor above it; always true if checking costs more. */
export function mayLeadInto(table: string, searchScope: LargeSearchScope): RawBuilder<boolean> {
  if (searchScope.kind === 'everything' || searchScope.paths.length > FEW_SUBTREES) return sql<boolean>`true`
  const path = sql.ref(`${table}.path`)
  return sql<boolean>`(${isBelow(`${table}.path`, searchScope.paths)}
    or exists (select from unnest(${[...searchScope.paths]}::text[]) granted where starts_with(granted, ${path})))`
}

/** Rows of tree_name of the search scope's companies. */
export function namesInScope(searchScope: LargeSearchScope): RawBuilder<unknown> {
  if (searchScope.kind === 'everything') return sql`tree_name`
  return sql`(select * from tree_name where company_id = any(${[...searchScope.companyIds]}::bigint[]))`
}

/** Whether the subtrees are few enough to search for each name in every one of them. */
export const hasFewSubtrees = (searchScope: LargeSearchScope): boolean =>
  searchScope.kind === 'everything' || searchScope.paths.length <= FEW_SUBTREES
