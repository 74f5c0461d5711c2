import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { OidcConfig } from '../../../platform/config/oidc.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { endSessions } from '../end-sessions.pg.ts'
import type { ProvidedUser, SignInChecks } from './oidc-client.ts'

/** Stores the checks of a sign-in that has started, by the hash of the secret that its browser got. */
export async function storePending(
  db: Database,
  hash: Buffer,
  checks: SignInChecks,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  await sql`delete from oidc_sign_in where expires_at < ${now}`.execute(db)
  await db
    .insertInto('oidc_sign_in')
    .values({ hash, ...checks, expires_at: until })
    .execute()
}

/** The checks of a started sign-in, once. Undefined for an unknown, used or expired one. */
export async function takePending(db: Database, hash: Buffer, now: Date): Promise<SignInChecks | undefined> {
  const row = await db
    .deleteFrom('oidc_sign_in')
    .where('hash', '=', hash)
    .returning(['state', 'nonce', 'verifier', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at >= now ? row : undefined
}

interface IdentifiedAccount {
  readonly id: number
  readonly account: string
  readonly companyId: number | null
  readonly enabled: boolean
}

async function findAccount(
  transaction: Transaction<Tables>,
  issuer: string,
  subject: string,
): Promise<IdentifiedAccount | undefined> {
  const { rows } = await sql<IdentifiedAccount>`
    select account.id, account.account, account.company_id as "companyId", account.enabled
    from account_identity identity join account on account.id = identity.account_id
    where identity.issuer = ${issuer} and identity.subject = ${subject} for update of account`.execute(
    transaction,
  )
  return rows[0]
}

async function addAccount(
  transaction: Transaction<Tables>,
  { issuer, tenant }: Pick<OidcConfig, 'issuer' | 'tenant'>,
  { subject, account, name }: ProvidedUser,
  passwordHash: string,
): Promise<IdentifiedAccount> {
  const companies = transaction.selectFrom('company').select(['id', 'tenant']).limit(2)
  const [company, ...more] = await (tenant === undefined
    ? companies
    : companies.where('tenant', '=', tenant)
  ).execute()
  if (!company || more.length > 0) throw new AppError('company.not-found')
  const { rows } = await sql<{ id: number }>`
    insert into account (account, name, password_hash, p_account, kind, company_id, is_external)
    select ${account}, ${name}, ${passwordHash}, ${company.tenant}, 'company', ${company.id}, true
    where not exists (select from account where lower(account) = lower(${account}))
    on conflict (account) do nothing returning id`.execute(transaction)
  const [added] = rows
  // An account that exists already is never taken over by a name alone.
  if (!added) throw new AppError('single-sign-on.account-taken', { account })
  await transaction.insertInto('account_identity').values({ issuer, subject, account_id: added.id }).execute()
  return { id: added.id, account, companyId: company.id, enabled: true }
}

/** Gives the account exactly the roles of its groups. A change of them ends its sessions. */
async function setRoles(
  transaction: Transaction<Tables>,
  { id, companyId }: IdentifiedAccount,
  codes: readonly number[],
  now: number,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from role where code = any(${[...codes]}::int[])
      and (company_id is null or company_id = ${companyId})`.execute(transaction)
  if (rows.length === 0) throw new AppError('single-sign-on.no-role')
  const roleIds = rows.map((row) => row.id)
  const { rows: changed } = await sql`
    with removed as (delete from account_role where account_id = ${id} and not role_id = any(${roleIds}::bigint[])
      returning role_id),
    added as (insert into account_role (account_id, role_id) select ${id}, unnest(${roleIds}::bigint[])
      on conflict do nothing returning role_id)
    select from removed union all select from added`.execute(transaction)
  if (changed.length === 0) return
  await sql`update account set roles_rev = roles_rev + 1 where id = ${id}`.execute(transaction)
  await endSessions(transaction, { accountIds: [id] }, now)
}

/**
 * The account of a person: the one of this identity, or a new one. Its roles are those of the person's groups. Throws
 * single-sign-on.no-role, single-sign-on.account-taken, session.disabled and company.not-found.
 */
export async function identify(
  transaction: Transaction<Tables>,
  config: OidcConfig,
  user: ProvidedUser,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: number },
): Promise<IdentifiedAccount> {
  const codes = config.roles.filter(({ group }) => user.groups.includes(group)).map(({ code }) => code)
  if (codes.length === 0) throw new AppError('single-sign-on.no-role')
  const found = await findAccount(transaction, config.issuer, user.subject)
  const account = found ?? (await addAccount(transaction, config, user, passwordHash))
  if (!account.enabled) throw new AppError('session.disabled')
  await setRoles(transaction, account, codes, now)
  return account
}
