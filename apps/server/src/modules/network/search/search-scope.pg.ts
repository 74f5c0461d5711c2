import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { type Scope, splitPaths } from '../../../platform/scope/scope.ts'
import { idsOf, type LargeField, type SearchField } from './search-scope.ts'
import { readSmallTree } from './small-tree.pg.ts'

/** A scope of so many nodes is searched in memory, a larger one from the names of the company. */
const FEW_NODES = 3_000
/** So many subtrees are compared with a path one by one; of more the ids are looked up in its ids. */
const FEW_SUBTREES = 20

/** Nodes of the subtrees at `paths`, by the index on paths: '0' follows '/', and ids are digits. */
export const nodesBelow = (paths: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${[...paths]}::text[]) granted (path) join node on node.path >= granted.path collate "C"
    and node.path < (rtrim(granted.path, '/') || '0') collate "C"`

/** Finds where a search in a scope of disjoint paths looks. */
export async function openField(db: Database, scope: Scope): Promise<SearchField> {
  if (scope.kind === 'all') return { kind: 'everything' }
  const { nodePaths, deviceIds } = splitPaths(scope.paths)
  // One row whatever the size: a large scope must not cost thousands of rows that only say that it is large.
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

// Adding nothing keeps the planner from going through all the ids once more for each row it has.
const isAmong = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} + 0 = any(${[...ids]}::bigint[])`

/** Condition that the node of a table with columns id and path lies in the field. */
export function isInField(table: string, field: SearchField): RawBuilder<boolean> {
  if (field.kind === 'everything') return sql<boolean>`true`
  if (field.kind === 'nodes') return isAmong(`${table}.id`, field.inside)
  if (field.paths.length <= FEW_SUBTREES) return sql<boolean>`${isBelow(`${table}.path`, field.paths)}`
  return sql<boolean>`exists (
    select from unnest(string_to_array(trim(both '/' from ${sql.ref(`${table}.path`)}), '/')::bigint[]) step (id)
    where step.id = any(${[...field.ids]}::bigint[]))`
}

/** Condition that leaves out nodes that lead nowhere into the field, as far as that is cheaper than not to. */
export function mayLeadInto(table: string, field: LargeField): RawBuilder<boolean> {
  if (field.kind === 'everything' || field.paths.length > FEW_SUBTREES) return sql<boolean>`true`
  const path = sql.ref(`${table}.path`)
  return sql<boolean>`(${isBelow(`${table}.path`, field.paths)}
    or exists (select from unnest(${[...field.paths]}::text[]) granted where starts_with(granted, ${path})))`
}

/** Rows of tree_name of the field's companies. */
export function namesOfField(field: LargeField): RawBuilder<unknown> {
  if (field.kind === 'everything') return sql`tree_name`
  return sql`(select * from tree_name where company_id = any(${[...field.companyIds]}::bigint[]))`
}

/** Whether the names of a company can be gone through, each in every one of the field's subtrees. */
export const hasFewSubtrees = (field: LargeField): boolean =>
  field.kind === 'everything' || field.paths.length <= FEW_SUBTREES
