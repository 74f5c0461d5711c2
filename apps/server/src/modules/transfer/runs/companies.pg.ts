import { sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import { type Scope, seesEverything, splitPaths } from '../../../platform/scope/scope.ts'

/** Returns at most two companies that the scope covers at least in part. */
export async function listCompanies(db: Database, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from company where (${seesEverything(scope)} and ${isServed('company.id')}) or exists (
      select from node where node.company_id = company.id and ${isInScope('node.path', scope)})
    order by id limit 2`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the company of the subtrees or devices at `paths`, undefined for the root. */
export async function findCompanyOf(db: Database, paths: readonly string[]): Promise<number | undefined> {
  const { nodePaths, deviceIds } = splitPaths(paths)
  const { rows } = await sql<{ id: number }>`
    select company_id as id from node where path = any(${[...nodePaths]}::text[])
    union all
    select company_id from device where id = any(${[...deviceIds]}::bigint[]) limit 1`.execute(db)
  return rows[0]?.id
}
