import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'
import { touchAccounts } from './accounts.pg.ts'
import { isDeviceWithin, isNodeWithin } from './grant-changes.pg.ts'

const parent = sql.ref('account.parent_id')

/** Grants and roles of sub-accounts that their parent does not have. */
const nodesBeyond = sql`account_node given join account on account.id = given.account_id
  join node on node.id = given.node_id where not ${isNodeWithin(sql.ref('node.path'), parent)}`
const devicesBeyond = sql`account_device given join account on account.id = given.account_id
  join device on device.id = given.device_id join node on node.id = device.node_id
  where not ${isDeviceWithin(sql.ref('device.id'), sql.ref('node.path'), parent)}`
const rolesBeyond = sql`account_role given join account on account.id = given.account_id
  join role on role.id = given.role_id where exists (
    select from role_permission wanted where wanted.role_id = role.id and not exists (
      select from account_role theirs join role_permission held on held.role_id = theirs.role_id
      where theirs.account_id = ${parent} and held.permission = wanted.permission))`

/** Throws account.beyond-yours when a sub-account has more than its parent. */
export async function requireWithinParent(
  transaction: Transaction<Tables>,
  accountId: number,
): Promise<void> {
  const ofThis = sql`account.id = ${accountId} and account.parent_id is not null`
  const { rows } = await sql<{ what: string }>`
    (select node.name as what from ${nodesBeyond} and ${ofThis} limit 1)
    union all (select device.name from ${devicesBeyond} and ${ofThis} limit 1)
    union all (select role.name from ${rolesBeyond} and ${ofThis} limit 1)`.execute(transaction)
  const [beyond] = rows
  if (beyond) throw new AppError('account.beyond-yours', { what: beyond.what })
}

const lockSubAccounts = (transaction: Transaction<Tables>, parentId: number) =>
  sql`select id from account where parent_id = ${parentId} order by id for update`.execute(transaction)

interface Narrowed {
  readonly id: number
}

/**
 * Narrows the grants of sub-accounts after their parent lost grants. A granted node is replaced by the parts of it that
 * the parent still has.
 */
export async function narrowGrantsBelow(transaction: Transaction<Tables>, parentId: number): Promise<void> {
  await lockSubAccounts(transaction, parentId)
  const ofThese = sql`account.parent_id = ${parentId}`
  const nodes = sql`(select account.id as account_id, node.id, node.path from ${nodesBeyond} and ${ofThese})`
  await sql`
    insert into account_node (account_id, node_id)
    select distinct beyond.account_id, part.id from ${nodes} beyond
    join account_node rest on rest.account_id = ${parentId}
    join node part on part.id = rest.node_id and starts_with(part.path, beyond.path)
    on conflict do nothing`.execute(transaction)
  await sql`
    insert into account_device (account_id, device_id)
    select distinct beyond.account_id, device.id from ${nodes} beyond
    join account_device rest on rest.account_id = ${parentId}
    join device on device.id = rest.device_id
    join node place on place.id = device.node_id and starts_with(place.path, beyond.path)
    on conflict do nothing`.execute(transaction)
  const lostNodes = await sql<Narrowed>`
    delete from account_node gone using ${nodes} beyond
    where gone.account_id = beyond.account_id and gone.node_id = beyond.id
    returning gone.account_id as id`.execute(transaction)
  const lostDevices = await sql<Narrowed>`
    delete from account_device gone
    using (select account.id as account_id, device.id from ${devicesBeyond} and ${ofThese}) beyond
    where gone.account_id = beyond.account_id and gone.device_id = beyond.id
    returning gone.account_id as id`.execute(transaction)
  const narrowed = [...lostNodes.rows, ...lostDevices.rows].map(({ id }) => id)
  await touchAccounts(transaction, narrowed, 'grants_rev')
}

/** Removes roles of sub-accounts that their parent, which lost roles, no longer covers. Returns the changed accounts. */
export async function narrowRolesBelow(
  transaction: Transaction<Tables>,
  parentId: number,
): Promise<readonly number[]> {
  await lockSubAccounts(transaction, parentId)
  const { rows } = await sql<Narrowed>`
    delete from account_role gone
    using (select account.id as account_id, role.id from ${rolesBeyond} and account.parent_id = ${parentId}) beyond
    where gone.account_id = beyond.account_id and gone.role_id = beyond.id
    returning gone.account_id as id`.execute(transaction)
  const narrowed = rows.map(({ id }) => id)
  await touchAccounts(transaction, narrowed, 'roles_rev')
  return narrowed
}

/** Serializes changes of parents, so that no account becomes a parent and a sub-account at the same time. */
export const lockParents = (transaction: Transaction<Tables>) =>
  sql`select pg_advisory_xact_lock(hashtext('isotherm parents'))`.execute(transaction)

export async function listSubAccounts(
  transaction: Transaction<Tables>,
  accountId: number,
): Promise<readonly number[]> {
  const found = transaction.selectFrom('account').select('id').where('parent_id', '=', accountId)
  return (await found.execute()).map(({ id }) => id)
}

export async function countSubAccounts(transaction: Transaction<Tables>, accountId: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parent_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** The owner name of an account without a parent: its company's tenant, or its own name for provider staff. */
export async function getCompanyName(
  transaction: Transaction<Tables>,
  { account, companyId }: { readonly account: string; readonly companyId: number | null },
): Promise<string> {
  if (companyId === null) return account
  const found = transaction.selectFrom('company').select('tenant').where('id', '=', companyId)
  return (await found.executeTakeFirstOrThrow()).tenant
}
