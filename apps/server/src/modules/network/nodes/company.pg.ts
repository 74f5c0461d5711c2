import { sql, type Transaction } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { companiesOf } from '../../../platform/scope/scope.pg.ts'
import { type Scope, seesEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Returns the company that the scope shows, undefined if there are none or several. */
export async function findOnlyCompany(db: Database, scope: Scope): Promise<number | undefined> {
  const { rows } =
    scope.kind === 'all' || seesEverything(scope)
      ? await sql<{ id: number }>`select id from company where ${isServed('company.id')} limit 2`.execute(db)
      : await sql<{ id: number }>`select company_id as id from ${companiesOf(scope.paths)} found`.execute(db)
  return rows.length === 1 ? rows[0]?.id : undefined
}

/** Grants a node to an account and to its parent accounts: no account may have more than its parents. */
export async function grantToAccount(
  transaction: Transaction<Tables>,
  accountId: number,
  nodeId: number,
): Promise<void> {
  await sql`
    with recursive line as (
      select id, parent_id from account where id = ${accountId}
      union all select above.id, above.parent_id from account above join line on line.parent_id = above.id)
    insert into account_node (account_id, node_id) select id, ${nodeId} from line
    on conflict do nothing`.execute(transaction)
}
