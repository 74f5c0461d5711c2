import type { SeededRole } from '@isotherm/contract/roles'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { roleNames } from './locales/zh.ts'
import { hashPassword, toClientHash } from './passwords.ts'

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
    await db
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
      .execute()
    await sql`
      insert into account_role select account.id, role.id from account, role
      where account.account = ${account} and account.is_demo and role.key = ${role} on conflict do nothing`.execute(
      db,
    )
    await sql`
      insert into account_node select account.id, node.id from account, node
      where account.account = ${account} and account.is_demo and node.kind = 'project'
        and node.company_id = coalesce(account.company_id, node.company_id) on conflict do nothing`.execute(
      db,
    )
  }
}

/** Removes every demo account with its sessions: a production server never has one, whatever the data was before. */
export async function removeDemoAccounts(db: Database): Promise<void> {
  await db.deleteFrom('account').where('is_demo', '=', true).execute()
}
