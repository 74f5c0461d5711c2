import { type Insertable, sql, type Transaction, type Updateable } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type AccountKind, isOpenTo } from './managed.pg.ts'

/** An account that is locked until the transaction ends. */
export interface LockedAccount {
  readonly id: number
  readonly account: string
  readonly kind: AccountKind
  readonly companyId: number | null
  readonly parentId: number | null
  readonly seesAll: boolean
  readonly enabled: boolean
}

const columns = sql`account.id, account.account, account.kind, account.company_id as "companyId",
  account.parent_id as "parentId", account.sees_all as "seesAll", account.enabled`

/** Parents are locked before their sub-accounts, so that two changes do not deadlock. */
async function lockParentOf(transaction: Transaction<Tables>, id: number): Promise<void> {
  await sql`select id from account
    where id = (select parent_id from account where id = ${id}) for share`.execute(transaction)
}

/**
 * Locks an account that the caller manages, or the caller's own. Throws entity.stale when it is no longer the version
 * that the caller has read, and account.not-found.
 */
export async function lockAccount(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, version }: { readonly id: number; readonly version: number | undefined },
): Promise<LockedAccount> {
  await lockParentOf(transaction, id)
  await lockVersion(transaction, { table: 'account', entity: 'account', id, version })
  const { rows } = await sql<LockedAccount>`
    select ${columns} from account where id = ${id} and ${isOpenTo(caller, 'changes')}`.execute(transaction)
  const [row] = rows
  if (!row) throw new AppError('account.not-found')
  return row
}

/**
 * Locks an account that changes its own password. Throws session.bad-credentials when it was disabled or deleted, or
 * got another password, after the check of the old password.
 */
export async function lockVerified(
  transaction: Transaction<Tables>,
  { id, passwordHash }: { readonly id: number; readonly passwordHash: string },
): Promise<void> {
  const { rows } = await sql`
    select from account where id = ${id} and password_hash = ${passwordHash} and enabled for update`.execute(
    transaction,
  )
  if (rows.length === 0) throw new AppError('session.bad-credentials')
}

/** Locks several accounts. Throws as lockAccount. */
export async function lockAccounts(
  transaction: Transaction<Tables>,
  caller: Caller,
  items: readonly { readonly id: number; readonly version: number }[],
): Promise<readonly LockedAccount[]> {
  const ids = items.map(({ id }) => id)
  await sql`select id from account
    where id = any(${ids}::bigint[]) or id in (select parent_id from account where id = any(${ids}::bigint[]))
    order by parent_id is not null, id for update`.execute(transaction)
  const locked: LockedAccount[] = []
  for (const item of items) locked.push(await lockAccount(transaction, caller, item))
  return locked
}

/**
 * Locks a future parent against changes until the transaction ends. Throws account.not-found, and account.bad-parent
 * for a sub-account.
 */
export async function lockParent(
  transaction: Transaction<Tables>,
  caller: Caller,
  account: string,
): Promise<LockedAccount> {
  const { rows } = await sql<LockedAccount>`
    select ${columns} from account where account = ${account} and ${isOpenTo(caller, 'changes')} for share`.execute(
    transaction,
  )
  const [row] = rows
  if (!row) throw new AppError('account.not-found')
  if (row.parentId !== null) throw new AppError('account.bad-parent', { account })
  return row
}

/** Adds an account. Throws entity.taken when the name exists, case-insensitive. */
export async function insertAccount(
  transaction: Transaction<Tables>,
  row: Insertable<Tables['account']>,
): Promise<number> {
  const same = await transaction
    .selectFrom('account')
    .select('id')
    .where(sql<boolean>`lower(account) = lower(${row.account})`)
    .executeTakeFirst()
  if (same) throw new AppError('entity.taken', { field: 'account' })
  const adding = transaction.insertInto('account').values(row).returning('id').executeTakeFirstOrThrow()
  return (await refuseDuplicates({ account_account_key: 'account' }, adding)).id
}

/** Deletes the API keys of an account. */
export async function deleteKeysOf(transaction: Transaction<Tables>, id: number): Promise<void> {
  await sql`delete from api_key where account_id = ${id}`.execute(transaction)
}

/** Changes columns of an account. Undefined columns stay unchanged. */
export async function updateAccount(
  transaction: Transaction<Tables>,
  id: number,
  row: Updateable<Tables['account']>,
): Promise<void> {
  if (Object.values(row).every((value) => value === undefined)) return
  await transaction.updateTable('account').set(row).where('id', '=', id).execute()
}

/** A part of an account with its own revision. A change of it raises the account's version. */
export type AccountPart = 'password_rev' | 'roles_rev' | 'grants_rev'

export async function touchAccounts(
  transaction: Transaction<Tables>,
  ids: readonly number[],
  part: AccountPart,
): Promise<void> {
  await sql`update account set ${sql.ref(part)} = ${sql.ref(part)} + 1
    where id = any(${[...ids]}::bigint[])`.execute(transaction)
}

export async function getVersion(transaction: Transaction<Tables>, id: number): Promise<number> {
  const found = transaction.selectFrom('account').select('version').where('id', '=', id)
  return (await found.executeTakeFirstOrThrow()).version
}

/** Deletes accounts. Throws entity.in-use for one whose sub-accounts are not among them. */
export async function deleteAccounts(
  transaction: Transaction<Tables>,
  ids: readonly number[],
): Promise<void> {
  const gone = sql`any(${[...ids]}::bigint[])`
  const { rows } = await sql<{ account: string }>`
    select account from account where parent_id = ${gone} and not id = ${gone} order by account limit 5`.execute(
    transaction,
  )
  if (rows.length > 0) {
    throw new AppError('entity.in-use', { by: rows.map(({ account }) => account).join(', ') })
  }
  await sql`delete from account where id = ${gone}`.execute(transaction)
}

/**
 * Throws account.last-administrator unless an enabled account remains that sees everything and manages the provider's
 * accounts. The lock serializes the checks, so that two administrators cannot remove each other at the same time.
 */
export async function requireAdministrator(transaction: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('isotherm administrators'))`.execute(transaction)
  const { rows } = await sql`
    select from account where enabled and sees_all and exists (
      select from account_role join role_permission on role_permission.role_id = account_role.role_id
      where account_role.account_id = account.id and role_permission.permission = 'ps-htusersys') limit 1`.execute(
    transaction,
  )
  if (rows.length === 0) throw new AppError('account.last-administrator')
}

/** The company of a new account: the named one, or the only one that this server serves. Throws company.not-found. */
export async function getCompany(
  transaction: Transaction<Tables>,
  named: number | undefined,
): Promise<{ readonly id: number; readonly tenant: string }> {
  const found = transaction.selectFrom('company').select(['id', 'tenant']).limit(2)
  const chosen = named === undefined ? found.where(isServed('company.id')) : found.where('id', '=', named)
  const rows = await chosen.execute()
  const [row] = rows
  if (!row || rows.length > 1) throw new AppError('company.not-found')
  return row
}

/** The distinct companies of an organisation, nodes and devices. An account that gets them must be of that company. */
export async function listCompaniesOf(
  transaction: Transaction<Tables>,
  given: {
    readonly organisationId: number | undefined
    readonly nodeIds: readonly number[]
    readonly deviceIds: readonly number[]
  },
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select company_id as id from organisation where id = ${given.organisationId ?? null}
    union select company_id from node where id = any(${[...given.nodeIds]}::bigint[])
    union select company_id from device where id = any(${[...given.deviceIds]}::bigint[])`.execute(
    transaction,
  )
  return rows.map(({ id }) => id)
}

/** Throws organisation.not-found unless the organisation belongs to the company. */
export async function requireOrganisation(
  transaction: Transaction<Tables>,
  organisationId: number,
  companyId: number | null,
): Promise<void> {
  const found = await transaction
    .selectFrom('organisation')
    .select('id')
    .where('id', '=', organisationId)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  if (!found) throw new AppError('organisation.not-found')
}
