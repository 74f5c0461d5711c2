import type { SeededRole } from '@isotherm/contract/access/roles'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../platform/tables.ts'

interface SubAccount {
  /** Part of the account name after the tenant. */
  readonly ending: string
  readonly name: string
  readonly role: SeededRole
  /** Level of the granted nodes, and their number, spread over the company. */
  readonly level: number
  readonly nodes: number
}

const subAccounts: readonly SubAccount[] = [
  { ending: 'company', name: '公司调度', role: 'dispatcher', level: 2, nodes: 1 },
  { ending: 'district', name: '区域调度', role: 'dispatcher', level: 3, nodes: 1 },
  { ending: 'stations', name: '换热站维修', role: 'maintenance', level: 4, nodes: 3 },
  { ending: 'areas', name: '小区客服', role: 'service', level: 5, nodes: 5 },
  { ending: 'buildings', name: '楼栋巡检', role: 'viewer', level: 6, nodes: 40 },
]

const MANAGER_ENDING = 'manager'

/** Account names of a generated company; the first account is granted everything. */
export const toSubAccountNames = (tenant: string): readonly string[] =>
  [MANAGER_ENDING, ...subAccounts.map(({ ending }) => ending)].map((ending) => `${tenant}.${ending}`)

/**
 * Creates the accounts of a generated company: one that is granted everything, and its sub-accounts with grants at
 * several levels. They exist in demo mode only, because their password is public.
 */
export async function createSubAccounts(
  db: Transaction<Tables>,
  company: { readonly id: number; readonly tenant: string },
  passwordHash: string,
): Promise<void> {
  const add = async (
    account: Omit<SubAccount, 'nodes' | 'level'>,
    parentId: number | null,
  ): Promise<number> => {
    const { id } = await db
      .insertInto('account')
      .values({
        account: `${company.tenant}.${account.ending}`,
        name: account.name,
        password_hash: passwordHash,
        p_account: company.tenant,
        is_demo: true,
        kind: 'company',
        company_id: company.id,
        parent_id: parentId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into account_role select ${id}::bigint, id from role where key = ${account.role}`.execute(
      db,
    )
    return id
  }
  const grant = (accountId: number, level: number, nodes: number) =>
    sql`
      insert into account_node select ${accountId}::bigint, id from (
        select id, row_number() over (order by sort_path) - 1 as nr, count(*) over () as among from node
        where company_id = ${company.id} and level = ${level} and not is_test) placed
      where nr % greatest(among / ${nodes}::int, 1) = 0 and nr / greatest(among / ${nodes}::int, 1) < ${nodes}`.execute(
      db,
    )
  const manager = await add({ ending: MANAGER_ENDING, name: '公司管理员', role: 'administrator' }, null)
  await grant(manager, 1, 1)
  for (const account of subAccounts) await grant(await add(account, manager), account.level, account.nodes)
}
