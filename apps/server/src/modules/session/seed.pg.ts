import { modules, permissions } from '@isotherm/contract/access/permissions'
import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'
import { roleNames } from '@isotherm/contract/locales/access/role-names'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'

type ModuleGroup = keyof typeof modules
const groups = Object.keys(modules) as readonly ModuleGroup[]
const roles = Object.keys(seededRoles) as readonly SeededRole[]

/** Role codes of the seeded roles; 500 belongs to the rbac variant (specification, section 6). */
const FIRST_ROLE_CODE = 101

async function seedModules(transaction: Transaction<Tables>): Promise<void> {
  const add = (url: (typeof permissions)[number], parentId: number | null) =>
    transaction
      .insertInto('module')
      .values({
        parent_id: parentId,
        name: permissionNamesZh[url],
        url,
        icon: url,
        sort: permissions.indexOf(url),
      })
      .onConflict((conflict) => conflict.column('url').doNothing())
      .execute()
  for (const group of groups) {
    await add(group, null)
    const { id } = await transaction
      .selectFrom('module')
      .select('id')
      .where('url', '=', group)
      .executeTakeFirstOrThrow()
    for (const page of modules[group]) await add(page, id)
  }
}

async function seedRoles(transaction: Transaction<Tables>): Promise<void> {
  for (const [index, key] of roles.entries()) {
    await transaction
      .insertInto('role_code')
      .values({ code: FIRST_ROLE_CODE + index, name: roleNames[key].zh })
      .onConflict((conflict) => conflict.column('code').doNothing())
      .execute()
    const added = await transaction
      .insertInto('role')
      .values({ key, name: roleNames[key].zh, code: FIRST_ROLE_CODE + index })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) continue
    const rows = seededRoles[key].map((permission) => ({ role_id: added.id, permission }))
    await transaction.insertInto('role_permission').values(rows).execute()
  }
}

/** Adds missing modules and roles of the contract. Changes by administrators stay. */
export const seed = (db: Database): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('isotherm seed'))`.execute(transaction)
    await seedModules(transaction)
    await seedRoles(transaction)
  })
