import { type Duty, dutyPages } from '@isotherm/contract/access/duties'
import { permissions } from '@isotherm/contract/access/permissions'
import { roleNames } from '@isotherm/contract/locales/access/role-names'
import { sql, type Transaction } from 'kysely'
import { ConfigError } from '../../../platform/config.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

const duties = Object.keys(dutyPages) as readonly Duty[]
/** Codes of the built-in roles of the duties; the seeded roles have 101 to 106. */
const FIRST_ROLE_CODE = 111

/** Key of the built-in role of a duty. */
export const toDutyRole = (duty: Duty): string => `${duty}-administrator`

async function addRoles(transaction: Transaction<Tables>): Promise<void> {
  for (const [index, duty] of duties.entries()) {
    const [code, name] = [FIRST_ROLE_CODE + index, roleNames[duty].zh]
    await sql`insert into role_code (code, name) values (${code}, ${name}) on conflict do nothing`.execute(
      transaction,
    )
    const { rows } = await sql<{ id: number }>`
      insert into role (key, name, code) values (${toDutyRole(duty)}, ${name}, ${code})
      on conflict (key) do nothing returning id`.execute(transaction)
    const [added] = rows
    if (!added) continue
    // The group is only the heading of the menu.
    const pages: readonly string[] = ['psys', ...dutyPages[duty]]
    await sql`insert into role_permission (role_id, permission)
      select ${added.id}, url from module where url = any(${[...pages]}::text[])`.execute(transaction)
  }
}

/**
 * Takes the pages of the duties from roles that combine two. Accounts that see everything and had such a role become security
 * administrators, so that somebody can appoint the others.
 */
async function splitRoles(transaction: Transaction<Tables>): Promise<void> {
  await sql`
    with combined as (
      select role_permission.role_id from role_permission join duty on duty.permission = role_permission.permission
      group by role_permission.role_id having count(distinct duty.duty) > 1),
    appointed as (
      select distinct account.id from account join account_role on account_role.account_id = account.id
      where account_role.role_id in (select role_id from combined) and account.sees_all and not account.is_demo),
    taken as (
      delete from role_permission where role_id in (select role_id from combined)
        and permission in (select permission from duty))
    insert into account_role (account_id, role_id)
    select appointed.id, role.id from appointed join role on role.key = ${toDutyRole('security')}
    on conflict do nothing`.execute(transaction)
}

/** Throws ConfigError for accounts that hold two duties by several roles: a person must decide which one stays. */
async function requireSeparate(transaction: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ account: string }>`
    select account.account from account join account_role on account_role.account_id = account.id
    join role_permission on role_permission.role_id = account_role.role_id
    join duty on duty.permission = role_permission.permission
    group by account.account having count(distinct duty.duty) > 1 order by account.account limit 10`.execute(
    transaction,
  )
  if (rows.length === 0) return
  const names = rows.map(({ account }) => account).join(', ')
  throw new ConfigError(`ISOTHERM_SEPARATE_DUTIES: these accounts hold two of the three duties: ${names}`)
}

/** Whether the administration of system, security and audit is separate. */
export async function isSeparate(db: Database | Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql`select from duty limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Turns the separation of system, security and audit administration on or off at the start of a server. Off again, the
 * administrator role gets all its pages back. Throws ConfigError.
 */
export const separateDuties = (db: Database, isOn: boolean): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('isotherm seed'))`.execute(transaction)
    if ((await isSeparate(transaction)) === isOn) return
    if (!isOn) {
      await sql`delete from duty`.execute(transaction)
      await sql`insert into role_permission (role_id, permission)
        select role.id, module.url from role join module on module.url = any(${[...permissions]}::text[])
        where role.key = 'administrator' on conflict do nothing`.execute(transaction)
      return
    }
    await addRoles(transaction)
    const pages = duties.flatMap((duty) => dutyPages[duty].map((permission) => ({ permission, duty })))
    await transaction.insertInto('duty').values(pages).execute()
    await splitRoles(transaction)
    await requireSeparate(transaction)
  })
