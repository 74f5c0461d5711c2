import type { SeededRole } from '@isotherm/contract/roles'
import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { roleNames } from './locales/zh.ts'
import { hashPassword, toClientHash } from './sign-in/passwords.ts'

/** Public: of accounts that exist in demo mode only. */
export const DEMO_PASSWORD = 'isotherm-demo'

const demoAccounts: Readonly<Record<string, SeededRole>> = {
  admin: 'administrator',
  dispatcher: 'dispatcher',
  maintenance: 'maintenance',
  service: 'service',
  irrigation: 'irrigation',
  viewer: 'viewer',
}

/** The demo's administrator looks after every company; the others are staff of the first. */
const toKind = (role: SeededRole, companyId: number | undefined) =>
  role === 'administrator' || companyId === undefined
    ? ({ kind: 'provider', sees_all: role === 'administrator' } as const)
    : ({ kind: 'company', company_id: companyId } as const)

/**
 * Creates the demo's accounts where they are missing, each with its role and every project granted. An
 * account of that name that somebody made for real is left alone.
 */
export async function createDemoAccounts(db: Database): Promise<void> {
  const passwordHash = await hashPassword(toClientHash(DEMO_PASSWORD))
  const company = await db.selectFrom('company').select('id').orderBy('id').limit(1).executeTakeFirst()
  for (const [account, role] of Object.entries(demoAccounts)) {
    const added = await db
      .insertInto('account')
      .values({
        account,
        name: roleNames[role],
        password_hash: passwordHash,
        p_account: 'demo',
        ...toKind(role, company?.id),
        is_demo: true,
      })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .returning('id')
      .executeTakeFirst()
    // What was taken from one that is there already stays taken.
    if (!added) continue
    await sql`
      insert into account_role select ${added.id}::bigint, role.id from role where role.key = ${role}`.execute(
      db,
    )
    await sql`
      insert into account_node select account.id, node.id from account, node
      where account.id = ${added.id} and node.kind = 'project'
        and node.company_id = coalesce(account.company_id, node.company_id)`.execute(db)
  }
}

/**
 * Removes every demo account with its sessions: a production server never has one, whatever the data was before.
 * Accounts that were made below one are disabled: nothing would hold them to what their parent had.
 */
export async function removeDemoAccounts(db: Database): Promise<void> {
  await sql`
    update account set enabled = false from account parent
    where parent.id = account.parent_id and parent.is_demo and not account.is_demo`.execute(db)
  await db.deleteFrom('account').where('is_demo', '=', true).execute()
}
