import type { SeededRole } from '@isotherm/contract/access/roles'
import { roleNames } from '@isotherm/contract/locales/access/role-names'
import type { Language } from '@isotherm/contract/locales/error-text'
import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { hashPassword, toClientHash } from './sign-in/passwords.ts'

/** The public password of the demo accounts, which exist in demo mode only. */
export const DEMO_PASSWORD = 'isotherm-demo'

const demoAccounts: Readonly<Record<string, SeededRole>> = {
  admin: 'administrator',
  dispatcher: 'dispatcher',
  maintenance: 'maintenance',
  service: 'service',
  irrigation: 'irrigation',
  viewer: 'viewer',
}

/** The demo administrator manages every company. The others are staff of the first company. */
const toKind = (role: SeededRole, companyId: number | undefined) =>
  role === 'administrator' || companyId === undefined
    ? ({ kind: 'provider', sees_all: role === 'administrator' } as const)
    : ({ kind: 'company', company_id: companyId } as const)

/**
 * Creates missing demo accounts, each with the name of its role in a language, with this role and with every project granted. An existing account of the same
 * name stays unchanged.
 */
export async function createDemoAccounts(db: Database, language: Language): Promise<void> {
  const passwordHash = await hashPassword(toClientHash(DEMO_PASSWORD))
  const company = await db.selectFrom('company').select('id').orderBy('id').limit(1).executeTakeFirst()
  for (const [account, role] of Object.entries(demoAccounts)) {
    const added = await db
      .insertInto('account')
      .values({
        account,
        name: roleNames[role][language],
        password_hash: passwordHash,
        p_account: 'demo',
        ...toKind(role, company?.id),
        is_demo: true,
      })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .returning('id')
      .executeTakeFirst()
    // An existing demo account keeps its changed roles and grants.
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
 * Removes every demo account with its sessions: a production server never has one, even on data of an earlier demo.
 * Their sub-accounts are disabled, because without the parent nothing would limit their rights.
 */
export async function removeDemoAccounts(db: Database): Promise<void> {
  await sql`
    update account set enabled = false from account parent
    where parent.id = account.parent_id and parent.is_demo and not account.is_demo`.execute(db)
  await db.deleteFrom('account').where('is_demo', '=', true).execute()
}
