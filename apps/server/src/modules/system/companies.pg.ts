import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addCompany,
  Company,
  editCompany,
  getCompanies,
} from '@isotherm/contract/endpoints/network/organisations'
import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import { isServedTenant } from '../../platform/cell/served.pg.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { lockVersion } from '../../platform/operation/lock-version.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { type FilterFields, numberField, textField } from '../../platform/postgres/filter.pg.ts'
import { refuseDuplicates } from '../../platform/postgres/unique.pg.ts'
import { seesEverything } from '../../platform/scope/scope.ts'
import { findPage, type Page } from './find-page.pg.ts'
import { managesForAll, requireProvider } from './policy.ts'
import { isCompanyOf } from './visible.pg.ts'

type Row = Omit<Company, 'abilities'>

const columns = sql`company.id, company.tenant, company.name, company.time_zone as "timeZone", company.version`

const fields: FilterFields = {
  id: numberField(sql`company.id`),
  tenant: textField(sql`company.tenant`),
  name: textField(sql`company.name`),
  timeZone: textField(sql`company.time_zone`),
}

const toCompany = (caller: Caller, row: Row): Company => ({
  ...row,
  abilities: managesForAll(caller, 'ps-oraigionsys') ? ['edit'] : [],
})

/** The heating companies of the installation. */
export function createCompanies(db: Database) {
  async function get(caller: Caller, id: number): Promise<Company> {
    const { rows } = await sql<Row>`select ${columns} from company where id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw new AppError('company.not-found')
    return toCompany(caller, row)
  }

  return {
    async list(caller: Caller, query: InputOf<typeof getCompanies>): Promise<Page<Company>> {
      const page = await findPage<Row>(
        db,
        {
          columns,
          fields,
          from: sql`company`,
          order: sql`company.name, company.id`,
          where: isCompanyOf('company.id', caller),
        },
        query,
      )
      return { ...page, datalist: page.datalist.map((row) => toCompany(caller, row)) }
    },

    async add({ caller, operation }: Call, input: InputOf<typeof addCompany>): Promise<Company> {
      requireProvider(caller)
      // A caller who sees only some companies would not see the new one.
      if (!seesEverything(caller.scope)) throw new AppError('access.denied')
      const { tenant, name, timeZone } = input
      const id = await operate(db, operation, async (transaction) => {
        const added = transaction
          .insertInto('company')
          .values({ tenant, name, time_zone: timeZone })
          .returning(['id', isServedTenant('tenant').as('isServed')])
        const company = await refuseDuplicates(
          { company_tenant_key: 'tenant' },
          added.executeTakeFirstOrThrow(),
        )
        if (!company.isServed) throw new AppError('company.elsewhere')
        return company.id
      })
      return get(caller, id)
    },

    async edit({ caller, operation }: Call, input: InputOf<typeof editCompany>): Promise<Company> {
      requireProvider(caller)
      const { id, version, name, timeZone } = input
      await operate(db, operation, async (transaction) => {
        const found = await lockVersion(transaction, { table: 'company', entity: 'company', id, version })
        if (!found) throw new AppError('company.not-found')
        const edited = transaction.updateTable('company').set({ name, time_zone: timeZone })
        await edited.where('id', '=', id).execute()
      })
      return get(caller, id)
    },
  }
}
