import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addOrgan,
  deleteOrgan,
  editOrgan,
  getOrgans,
  Organisation,
} from '@isotherm/contract/endpoints/network/organisations'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { lockVersion } from '../../platform/operation/lock-version.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { type FilterFields, numberField, textField } from '../../platform/postgres/filter.pg.ts'
import { refuseDuplicates } from '../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { findPage, type Page } from './find-page.pg.ts'
import { isCompanyOf } from './visible.pg.ts'

interface Row extends Omit<Organisation, 'abilities'> {
  readonly partCount: number
}

const columns = sql`
  organisation.id, organisation.company_id as "companyId", organisation.parent_id as "parentId",
  organisation.name, organisation.description, organisation.version,
  (select count(*) from account where account.organisation_id = organisation.id) as "accountCount",
  (select count(*) from organisation part where part.parent_id = organisation.id
    and part.company_id = organisation.company_id) as "partCount"`

const fields: FilterFields = {
  id: numberField(sql`organisation.id`),
  companyId: numberField(sql`organisation.company_id`),
  parentId: numberField(sql`organisation.parent_id`),
  name: textField(sql`organisation.name`),
  description: textField(sql`organisation.description`),
}

const takenName = { organisation_company_id_parent_id_name_key: 'name' } as const

function toOrganisation(caller: Caller, { partCount, ...row }: Row): Organisation {
  const isEmpty = row.accountCount === 0 && partCount === 0
  const abilities: Organisation['abilities'] = isEmpty ? ['edit', 'delete'] : ['edit']
  return { ...row, abilities: caller.permissions.has('ps-oraigionsys') ? abilities : [] }
}

async function findRow(db: Database, id: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${columns} from organisation where id = ${id}`.execute(db)
  return rows[0]
}

async function getOrganisation(db: Database, caller: Caller, id: number): Promise<Organisation> {
  const row = await findRow(db, id)
  if (!row) throw new AppError('organisation.not-found')
  return toOrganisation(caller, row)
}

async function lockOrganisation(
  transaction: Transaction<Tables>,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<Row> {
  await lockVersion(transaction, { table: 'organisation', entity: 'organisation', id, version })
  const row = await findRow(transaction, id)
  if (!row) throw new AppError('organisation.not-found')
  return row
}

/** Throws organisation.not-found for a parent of another company, node.bad-place for one inside itself. */
async function requirePlace(
  transaction: Transaction<Tables>,
  { id, companyId, name }: Row,
  parentId: number | null,
): Promise<void> {
  if (parentId === null) return
  const { rows } = await sql<{ id: number; companyId: number }>`
    with recursive above (id, parent_id, company_id) as (
      select id, parent_id, company_id from organisation where id = ${parentId}
      union select next.id, next.parent_id, next.company_id from organisation next
        join above on next.id = above.parent_id)
    select id, company_id as "companyId" from above`.execute(transaction)
  if (!rows.some((row) => row.id === parentId && row.companyId === companyId)) {
    throw new AppError('organisation.not-found')
  }
  if (rows.some((row) => row.id === id)) throw new AppError('node.bad-place', { detail: name })
}

/** Serializes moves of organisations: two moves together must not create a cycle. */
const lockOrganisations = (transaction: Transaction<Tables>): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('isotherm organisations'))`.execute(transaction)

/** Manages organisations: the parts of companies that accounts belong to. */
export const createOrganisations = (db: Database) => ({
  async list(
    caller: Caller,
    { companyId, ...query }: InputOf<typeof getOrgans>,
  ): Promise<Page<Organisation>> {
    const page = await findPage<Row>(
      db,
      {
        columns,
        fields,
        from: sql`organisation`,
        order: sql`organisation.company_id, organisation.parent_id nulls first, organisation.name, organisation.id`,
        where: sql`${isCompanyOf('organisation.company_id', caller)}
          and (${companyId ?? null}::bigint is null or organisation.company_id = ${companyId ?? null})`,
      },
      query,
    )
    return { ...page, datalist: page.datalist.map((row) => toOrganisation(caller, row)) }
  },

  async add({ caller, operation }: Call, input: InputOf<typeof addOrgan>): Promise<Organisation> {
    const { parentId, name, description } = input
    const id = await operate(db, operation, async (transaction) => {
      const parent = parentId === null ? undefined : await findRow(transaction, parentId)
      if (parentId !== null && !parent) throw new AppError('organisation.not-found')
      const companyId = caller.companyId ?? input.companyId ?? parent?.companyId
      if (companyId === undefined) throw new AppError('company.not-found')
      if (parent && parent.companyId !== companyId) throw new AppError('organisation.not-found')
      const added = transaction
        .insertInto('organisation')
        .values({ company_id: companyId, parent_id: parentId, name, description })
        .returning('id')
      return (await refuseDuplicates(takenName, added.executeTakeFirstOrThrow())).id
    })
    return getOrganisation(db, caller, id)
  },

  async edit({ caller, operation }: Call, input: InputOf<typeof editOrgan>): Promise<Organisation> {
    const { id, parentId, name, description } = input
    await operate(db, operation, async (transaction) => {
      await lockOrganisations(transaction)
      await requirePlace(transaction, await lockOrganisation(transaction, input), parentId)
      const edited = transaction
        .updateTable('organisation')
        .set({ parent_id: parentId, name, description })
        .where('id', '=', id)
      await refuseDuplicates(takenName, edited.execute())
    })
    return getOrganisation(db, caller, id)
  },

  remove: ({ operation }: Call, input: InputOf<typeof deleteOrgan>): Promise<number> =>
    operate(db, operation, async (transaction) => {
      const { id, accountCount, partCount } = await lockOrganisation(transaction, input)
      if (accountCount > 0) throw new AppError('entity.in-use', { entity: 'account', count: accountCount })
      if (partCount > 0) throw new AppError('entity.in-use', { entity: 'organisation', count: partCount })
      await transaction.deleteFrom('organisation').where('id', '=', id).execute()
      return 1
    }),
})
