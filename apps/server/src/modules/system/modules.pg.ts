import { permissions } from '@isotherm/contract/access/permissions'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addModules,
  deleteMdoules,
  editModules,
  getAllModulesP,
  ManagedModule,
} from '@isotherm/contract/endpoints/administration/modules'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { lockVersion } from '../../platform/operation/lock-version.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { type FilterFields, flagField, numberField, textField } from '../../platform/postgres/filter.pg.ts'
import { refuseDuplicates } from '../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { findPage, type Page } from './find-page.pg.ts'
import { isOfProvider, managesForAll, requireProvider } from './policy.ts'

type ModuleRow = Omit<ManagedModule, 'builtIn' | 'abilities'>
type NewModule = InputOf<typeof addModules>['modules'][number]
type EditedModule = InputOf<typeof editModules>['modules'][number]

const columns = sql`module.id, module.parent_id as "parentId", module.name, module.url, module.icon,
  module.sort, module.enabled, module.version`
const menuOrder = sql`module.sort, module.id`

const fields: FilterFields = {
  id: numberField(sql`module.id`),
  parentId: numberField(sql`module.parent_id`),
  name: textField(sql`module.name`),
  url: textField(sql`module.url`),
  sort: numberField(sql`module.sort`),
  enabled: flagField(sql`module.enabled`),
}

const specified: ReadonlySet<string> = new Set(permissions)
/** Without these pages nobody could enable a module again. */
const alwaysOn: ReadonlySet<string> = new Set(['psys', 'ps-modelsys'])

function toManaged(caller: Caller, row: ModuleRow): ManagedModule {
  const builtIn = specified.has(row.url)
  const isManaged = managesForAll(caller, 'ps-modelsys')
  const abilities: ManagedModule['abilities'] = builtIn ? ['edit'] : ['edit', 'delete']
  return { ...row, builtIn, abilities: isManaged ? abilities : [] }
}

/** Serializes changes of modules: the checks of parents and pages must hold until the change is written. */
const lockModules = (transaction: Transaction<Tables>): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('isotherm modules'))`.execute(transaction)

async function listByIds(db: Database, ids: readonly number[]): Promise<readonly ModuleRow[]> {
  const { rows } = await sql<ModuleRow>`
    select ${columns} from module where id = any(${[...ids]}::bigint[]) order by ${menuOrder}`.execute(db)
  return rows
}

/** Throws node.bad-place unless the module is at the top or in a group. */
async function requireGroup(db: Database, { name, parentId }: NewModule): Promise<void> {
  if (parentId === null) return
  const [parent] = await listByIds(db, [parentId])
  if (parent?.parentId !== null) throw new AppError('node.bad-place', { detail: name })
}

async function requireNoPages(db: Database, groupIds: readonly number[], leaving: readonly number[]) {
  const { rows } = await sql<{ name: string }>`
    select name from module where parent_id = any(${[...groupIds]}::bigint[])
      and not id = any(${[...leaving]}::bigint[]) order by sort limit 5`.execute(db)
  if (rows.length > 0) throw new AppError('entity.in-use', { by: rows.map(({ name }) => name).join(', ') })
}

/** Throws entity.built-in: of a specified module only name, icon, order and `enabled` can change. */
function requireSpecified(before: ModuleRow, edited: EditedModule): void {
  if (!specified.has(before.url)) return
  const isOther = before.url !== edited.url || before.parentId !== edited.parentId
  const isLost = !edited.enabled && alwaysOn.has(before.url)
  if (isOther || isLost) throw new AppError('entity.built-in', { what: before.name })
}

/**
 * Gives new modules to the administrator role and to the roles of the caller: otherwise nobody could give them to
 * others.
 */
const giveToAdministrators = (transaction: Transaction<Tables>, urls: readonly string[], accountId: number) =>
  sql`
    insert into role_permission (role_id, permission)
    select role.id, url from role cross join unnest(${[...urls]}::text[]) url
    where role.key = 'administrator' or exists (
      select from account_role join role_permission own on own.role_id = account_role.role_id
      where account_role.account_id = ${accountId} and account_role.role_id = role.id
        and own.permission = 'ps-modelsys')`.execute(transaction)

const toRow = ({ parentId, name, url, icon, sort, enabled }: NewModule) => ({
  parent_id: parentId,
  name,
  url,
  icon,
  sort,
  enabled,
})

const takenUrl = { module_url_key: 'url' } as const

async function insertModule(transaction: Transaction<Tables>, module: NewModule): Promise<number> {
  await requireGroup(transaction, module)
  const row = transaction.insertInto('module').values(toRow(module)).returning('id')
  return (await refuseDuplicates(takenUrl, row.executeTakeFirstOrThrow())).id
}

async function lockModule(
  transaction: Transaction<Tables>,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<ModuleRow> {
  await lockVersion(transaction, { table: 'module', entity: 'module', id, version })
  const [row] = await listByIds(transaction, [id])
  if (!row) throw new AppError('module.not-found')
  return row
}

async function updateModule(transaction: Transaction<Tables>, edited: EditedModule): Promise<void> {
  const before = await lockModule(transaction, edited)
  requireSpecified(before, edited)
  if (edited.parentId !== null) await requireNoPages(transaction, [edited.id], [])
  await requireGroup(transaction, edited)
  const row = transaction.updateTable('module').set(toRow(edited)).where('id', '=', edited.id)
  await refuseDuplicates(takenUrl, row.execute())
}

/** Manages the modules, which are the pages of the console. */
export const createModules = (db: Database) => ({
  async list(caller: Caller, query: InputOf<typeof getAllModulesP>): Promise<Page<ManagedModule>> {
    const page = await findPage<ModuleRow>(
      db,
      { columns, from: sql`module`, order: menuOrder, where: sql`true`, fields },
      query,
    )
    return { ...page, datalist: page.datalist.map((row) => toManaged(caller, row)) }
  },

  listEnabled: (): Promise<Page<ModuleRow>> =>
    findPage(
      db,
      { columns, from: sql`module`, order: menuOrder, where: sql`module.enabled`, fields },
      { filter: [], limiter: { page: 1, size: 1_000 } },
    ),

  async add({ caller, operation }: Call, { modules }: InputOf<typeof addModules>): Promise<ManagedModule[]> {
    requireProvider(caller)
    const ids = await operate(db, operation, async (transaction) => {
      await lockModules(transaction)
      const added: number[] = []
      for (const module of modules) added.push(await insertModule(transaction, module))
      const urls = modules.map(({ url }) => url)
      await giveToAdministrators(transaction, urls, caller.accountId)
      return added
    })
    return (await listByIds(db, ids)).map((row) => toManaged(caller, row))
  },

  async edit(
    { caller, operation }: Call,
    { modules }: InputOf<typeof editModules>,
  ): Promise<ManagedModule[]> {
    if (!isOfProvider(caller)) throw new AppError('module.not-found')
    await operate(db, operation, async (transaction) => {
      await lockModules(transaction)
      for (const edited of modules) await updateModule(transaction, edited)
    })
    const ids = modules.map(({ id }) => id)
    return (await listByIds(db, ids)).map((row) => toManaged(caller, row))
  },

  async remove({ operation }: Call, { items }: InputOf<typeof deleteMdoules>): Promise<number> {
    const ids = items.map(({ id }) => id)
    await operate(db, operation, async (transaction) => {
      await lockModules(transaction)
      for (const item of items) {
        const before = await lockModule(transaction, item)
        if (specified.has(before.url)) throw new AppError('entity.built-in', { what: before.name })
      }
      await requireNoPages(transaction, ids, ids)
      await sql`delete from module where id = any(${ids}::bigint[])`.execute(transaction)
    })
    return new Set(ids).size
  },
})
