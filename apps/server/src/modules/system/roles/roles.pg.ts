import type { InputOf } from '@isotherm/contract/endpoint'
import type { getAllRolesP, getRoleByOwnName, Role } from '@isotherm/contract/endpoints/administration/roles'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type FilterFields, flagField, numberField, textField } from '../../../platform/postgres/filter.pg.ts'
import { findPage, type Page } from '../find-page.pg.ts'
import { isOfProvider } from '../policy.ts'
import { isCompanyOf, isRoleOf } from '../visible.pg.ts'

/** A role as stored. */
export interface RoleRow extends Omit<Role, 'abilities'> {
  /** Key in the contract of a seeded role. */
  readonly key: string | null
  /** Whether the caller manages roles of its kind. */
  readonly isManaged: boolean
}

const toColumns = (caller: Caller): RawBuilder<unknown> => sql`
  role.id, role.key, role.name, role.code, role_code.name as "codeName", role.description,
  role.company_id as "companyId", company.name as "companyName", role.key is not null as "builtIn",
  role.needs_second_factor as "needsSecondFactor", role.version, role.modules as urls, ${isRoleOf(caller, 'changes')} as "isManaged",
  (select coalesce(json_agg(module.id order by nr), '[]') from unnest(role.modules)
    with ordinality given (url, nr) join module on module.url = given.url) as "moduleIds",
  (select count(*) from account_role join account on account.id = account_role.account_id
    where account_role.role_id = role.id
      and (account.company_id is null and ${isOfProvider(caller)}::boolean
        or ${isCompanyOf('account.company_id', caller)})) as "accountCount"`

const from = sql`role join role_code on role_code.code = role.code
  left join company on company.id = role.company_id`
/** The provider's roles first, then company by company. */
const order = sql`role.company_id nulls first, role.code, role.id`

const fields: FilterFields = {
  id: numberField(sql`role.id`),
  name: textField(sql`role.name`),
  code: numberField(sql`role.code`),
  description: textField(sql`role.description`),
  companyId: numberField(sql`role.company_id`),
  builtIn: flagField(sql`(role.key is not null)`),
}

/** Urls of the modules of the account's roles, also disabled ones; for a sub-account only those its parent has too. */
export async function listHeld(db: Database, accountId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ url: string }>`
    select distinct role_permission.permission as url from account_role
    join role_permission on role_permission.role_id = account_role.role_id
    join account on account.id = account_role.account_id
    where account.id = ${accountId} and (account.parent_id is null or exists (
      select from account_role theirs join role_permission held on held.role_id = theirs.role_id
      where theirs.account_id = account.parent_id and held.permission = role_permission.permission))`.execute(
    db,
  )
  return new Set(rows.map(({ url }) => url))
}

/** Throws account.beyond-yours for modules that the caller does not have. */
export function requireHeld(held: ReadonlySet<string>, urls: Iterable<string>): void {
  const beyond = [...new Set(urls)].filter((url) => !held.has(url))
  if (beyond.length > 0) throw new AppError('account.beyond-yours', { what: beyond.join(', ') })
}

/** Adds the caller's abilities. Nobody manages or gives a role with modules beyond their own. */
function toRole(caller: Caller, held: ReadonlySet<string>, { key: _, isManaged, ...row }: RoleRow): Role {
  const isWithin = row.urls.every((url) => held.has(url))
  const mayEdit = isWithin && isManaged && caller.permissions.has('ps-rolesys')
  const abilities: Role['abilities'] = [
    ...(mayEdit ? (['edit'] as const) : []),
    ...(mayEdit && !row.builtIn ? (['delete'] as const) : []),
    ...(isWithin ? (['give'] as const) : []),
  ]
  return { ...row, abilities }
}

export async function findRoleRow(db: Database, caller: Caller, id: number): Promise<RoleRow | undefined> {
  const { rows } = await sql<RoleRow>`
    select ${toColumns(caller)} from ${from} where role.id = ${id}`.execute(db)
  return rows[0]
}

export async function getRole(db: Database, caller: Caller, id: number): Promise<Role> {
  const [row, held] = await Promise.all([findRoleRow(db, caller, id), listHeld(db, caller.accountId)])
  if (!row) throw new AppError('role.not-found')
  return toRole(caller, held, row)
}

const isNamed = (name: string): Expression<SqlBool> =>
  sql<SqlBool>`strpos(lower(role.name), lower(${name}::text)) > 0`

/** Lists the roles that a caller may see. */
export function createRoleLists(db: Database) {
  async function find(
    caller: Caller,
    where: Expression<SqlBool>,
    query: InputOf<typeof getAllRolesP>,
  ): Promise<Page<Role>> {
    const [held, page] = await Promise.all([
      listHeld(db, caller.accountId),
      findPage<RoleRow>(
        db,
        {
          columns: toColumns(caller),
          from,
          order,
          fields,
          where: sql`${isRoleOf(caller, 'reads')} and ${where}`,
        },
        query,
      ),
    ])
    return { ...page, datalist: page.datalist.map((row) => toRole(caller, held, row)) }
  }

  return {
    list: (caller: Caller, query: InputOf<typeof getAllRolesP>) => find(caller, sql<SqlBool>`true`, query),

    /** Names and modules of all visible roles, at most 1,000. */
    async listNames(caller: Caller): Promise<readonly { readonly name: string; readonly urls: string[] }[]> {
      const { rows } = await sql<{ name: string; urls: string[] }>`
        select role.name, role.modules as urls from role where ${isRoleOf(caller, 'reads')}
        order by ${order} limit 1000`.execute(db)
      return rows
    },

    /** `own`: roles of the caller's company; for provider staff the provider's roles. */
    listByName(
      caller: Caller,
      owner: 'own' | 'others',
      { name, limiter }: InputOf<typeof getRoleByOwnName>,
    ): Promise<Page<Role>> {
      const isOfCompany = isOfProvider(caller) === (owner === 'others')
      const where = sql<SqlBool>`
        (role.company_id is not null) = ${isOfCompany}::boolean and ${isNamed(name)}`
      return find(caller, where, { filter: [], limiter })
    },
  }
}
