import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addRole,
  deleteRole,
  editRoleModule,
  Role,
  updateRoleResByTK,
} from '@isotherm/contract/endpoints/administration/roles'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import { scopeOfEverything, seesEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { isManagedBy } from '../../users/index.ts'
import { managesProviderRoles } from '../visible.pg.ts'
import { findRoleRow, getRole, listHeld, type RoleRow, requireHeld } from './roles.pg.ts'

const takenName = { role_company_id_name_key: 'name' } as const

/** Urls of modules. Throws module.not-found. */
async function listUrls(db: Database, moduleIds: readonly number[]): Promise<readonly string[]> {
  const ids = [...new Set(moduleIds)]
  const { rows } = await sql<{ url: string }>`
    select url from module where id = any(${ids}::bigint[])`.execute(db)
  if (rows.length < ids.length) throw new AppError('module.not-found')
  return rows.map(({ url }) => url)
}

/** Locks a role that the caller manages. Throws role.not-found, entity.stale and account.beyond-yours. */
async function lockRole(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<RoleRow> {
  await lockVersion(transaction, { table: 'role', entity: 'role', id, version })
  const row = await findRoleRow(transaction, caller, id)
  if (!row?.isManaged) throw new AppError('role.not-found')
  requireHeld(await listHeld(transaction, caller.accountId), row.urls)
  return row
}

/**
 * Throws account.beyond-yours when an account that the caller does not manage has the role: it would lose permissions
 * that others gave it. Accounts of companies that other servers serve count as well.
 */
async function requireHoldersManaged(
  transaction: Transaction<Tables>,
  caller: Caller,
  { id, name }: RoleRow,
): Promise<void> {
  const everywhere = { ...caller, scope: seesEverything(caller.scope) ? scopeOfEverything : caller.scope }
  const { rows } = await sql`
    select from account_role join account on account.id = account_role.account_id
    where account_role.role_id = ${id} and account.id <> ${caller.accountId}
      and not ${isManagedBy(everywhere, 'changes')} limit 1`.execute(transaction)
  if (rows.length > 0) throw new AppError('account.beyond-yours', { what: name })
}

/** Sets the modules of a role. The administrator role always has every module. */
async function setModules(
  transaction: Transaction<Tables>,
  caller: Caller,
  role: RoleRow,
  urls: readonly string[],
): Promise<void> {
  const given = urls.filter((url) => !role.urls.includes(url))
  const removed = role.urls.filter((url) => !urls.includes(url))
  if (role.key === 'administrator' && removed.length > 0) {
    throw new AppError('entity.built-in', { what: role.name })
  }
  requireHeld(await listHeld(transaction, caller.accountId), given)
  if (removed.length > 0) await requireHoldersManaged(transaction, caller, role)
  await sql`delete from role_permission where role_id = ${role.id} and permission = any(${removed}::text[])`.execute(
    transaction,
  )
  await sql`
    insert into role_permission (role_id, permission)
    select ${role.id}::bigint, unnest(${given}::text[])`.execute(transaction)
}

/** Adds, changes and removes roles. */
export const createRoleChanges = (db: Database) => ({
  async add({ caller, operation }: Call, input: InputOf<typeof addRole>): Promise<Role> {
    const { name, code, description, needsSecondFactor, moduleIds } = input
    const companyId = caller.companyId ?? input.companyId ?? null
    if (companyId === null && !managesProviderRoles(caller)) throw new AppError('access.denied')
    const id = await operate(db, operation, async (transaction) => {
      const added = transaction
        .insertInto('role')
        .values({
          name,
          code,
          description,
          needs_second_factor: needsSecondFactor ?? false,
          company_id: companyId,
          key: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const role = await findRoleRow(transaction, caller, (await refuseDuplicates(takenName, added)).id)
      if (!role) throw new AppError('role.not-found')
      await setModules(transaction, caller, role, await listUrls(transaction, moduleIds))
      return role.id
    })
    return getRole(db, caller, id)
  },

  async edit({ caller, operation }: Call, input: InputOf<typeof editRoleModule>): Promise<Role> {
    const { id, name, code, description, needsSecondFactor, moduleIds } = input
    await operate(db, operation, async (transaction) => {
      const role = await lockRole(transaction, caller, input)
      // A built-in role is identified by its code.
      if (role.builtIn && code !== role.code) throw new AppError('entity.built-in', { what: role.name })
      const edited = transaction
        .updateTable('role')
        .set({
          name,
          code,
          description,
          needs_second_factor: needsSecondFactor,
        })
        .where('id', '=', id)
      await refuseDuplicates(takenName, edited.execute())
      await setModules(transaction, caller, role, await listUrls(transaction, moduleIds))
    })
    return getRole(db, caller, id)
  },

  /** `replaced` removes modules that are not named; `added` keeps them. */
  async setModules(
    { caller, operation }: Call,
    how: 'replaced' | 'added',
    { roleId, version, moduleIds }: InputOf<typeof updateRoleResByTK>,
  ): Promise<Role> {
    await operate(db, operation, async (transaction) => {
      const role = await lockRole(transaction, caller, { id: roleId, version })
      const urls = await listUrls(transaction, moduleIds)
      await setModules(transaction, caller, role, how === 'added' ? [...role.urls, ...urls] : urls)
    })
    return getRole(db, caller, roleId)
  },

  remove: ({ caller, operation }: Call, { id, version }: InputOf<typeof deleteRole>): Promise<number> =>
    operate(db, operation, async (transaction) => {
      const role = await lockRole(transaction, caller, { id, version })
      if (role.builtIn) throw new AppError('entity.built-in', { what: role.name })
      const { rows } = await sql<{ count: number }>`
        select count(*) from account_role where role_id = ${id}`.execute(transaction)
      const count = rows[0]?.count ?? 0
      if (count > 0) throw new AppError('entity.in-use', { entity: 'account', count })
      await transaction.deleteFrom('role').where('id', '=', id).execute()
      return 1
    }),
})
