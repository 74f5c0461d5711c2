import type { SeededRole } from '@isotherm/contract/roles'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { roleNames } from './locales/zh.ts'
import { hashPassword, toClientHash } from './passwords.ts'

const DEMO_PASSWORD = 'isotherm-demo'

const demoAccounts: Readonly<Record<string, SeededRole>> = {
  admin: 'administrator',
  dispatcher: 'dispatcher',
  maintenance: 'maintenance',
  service: 'service',
  irrigation: 'irrigation',
  viewer: 'viewer',
}

/**
 * Creates the demo's accounts where they are missing, each with its role and every project granted. An
 * account of that name that somebody made for real is left alone.
 */
export async function createDemoAccounts(db: Database): Promise<void> {
  const passwordHash = await hashPassword(toClientHash(DEMO_PASSWORD))
  for (const [account, role] of Object.entries(demoAccounts)) {
    await db
      .insertInto('account')
      .values({
        account,
        name: roleNames[role],
        password_hash: passwordHash,
        p_account: 'demo',
        sees_all: role === 'administrator',
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
      where account.account = ${account} and account.is_demo and node.kind = 'project' on conflict do nothing`.execute(
      db,
    )
  }
}

/** Removes every demo account with its sessions: a production server never has one, whatever the data was before. */
export async function removeDemoAccounts(db: Database): Promise<void> {
  await db.deleteFrom('account').where('is_demo', '=', true).execute()
}
