import type { InputOf } from '@isotherm/contract/endpoint'
import {
  type addRoleCode,
  type deleteRoleCode,
  type editRoleCode,
  type getRoleCodes,
  RBAC_CODE,
  type RoleCode,
} from '@isotherm/contract/endpoints/administration/role-codes'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type FilterFields, numberField, textField } from '../../../platform/postgres/filter.pg.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { findPage, type Page } from '../find-page.pg.ts'
import { managesForAll, requireProvider } from '../policy.ts'
import { isRoleOf } from '../visible.pg.ts'

type Row = Omit<RoleCode, 'abilities'>

/** Maximum number of roles that an error names as users of a code. */
const MAX_NAMED = 5

const toColumns = (caller: Caller): RawBuilder<unknown> => sql`
  role_code.code, role_code.name, role_code.description, role_code.version,
  (select count(*) from role where role.code = role_code.code and ${isRoleOf(caller, 'reads')}) as "roleCount"`

const fields: FilterFields = {
  code: numberField(sql`role_code.code`),
  name: textField(sql`role_code.name`),
  description: textField(sql`role_code.description`),
}

function toRoleCode(caller: Caller, row: Row): RoleCode {
  const abilities: RoleCode['abilities'] = row.roleCount > 0 ? ['edit'] : ['edit', 'delete']
  return { ...row, abilities: managesForAll(caller, 'ps-rolecodesys') ? abilities : [] }
}

async function lockRoleCode(
  transaction: Transaction<Tables>,
  { code, version }: { readonly code: number; readonly version: number },
): Promise<number> {
  const row = await transaction
    .selectFrom('role_code')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirst()
  const versioned = { table: 'role_code', entity: 'role-code', version } as const
  if (!row || !(await lockVersion(transaction, { ...versioned, id: row.id }))) {
    throw new AppError('role-code.not-found')
  }
  return row.id
}

/** Manages role codes. All companies share one list. */
export function createRoleCodes(db: Database) {
  async function get(caller: Caller, code: number): Promise<RoleCode> {
    const { rows } = await sql<Row>`
      select ${toColumns(caller)} from role_code where code = ${code}`.execute(db)
    const [row] = rows
    if (!row) throw new AppError('role-code.not-found')
    return toRoleCode(caller, row)
  }

  return {
    async list(caller: Caller, query: InputOf<typeof getRoleCodes>): Promise<Page<RoleCode>> {
      const page = await findPage<Row>(
        db,
        {
          columns: toColumns(caller),
          fields,
          from: sql`role_code`,
          order: sql`role_code.code`,
          where: sql`true`,
        },
        query,
      )
      return { ...page, datalist: page.datalist.map((row) => toRoleCode(caller, row)) }
    },

    async add({ caller, operation }: Call, input: InputOf<typeof addRoleCode>): Promise<RoleCode> {
      requireProvider(caller)
      if (input.code === RBAC_CODE) throw new AppError('entity.taken', { field: 'code' })
      await operate(db, operation, (transaction) =>
        refuseDuplicates(
          { role_code_code_key: 'code' },
          transaction.insertInto('role_code').values(input).execute(),
        ),
      )
      return get(caller, input.code)
    },

    async edit({ caller, operation }: Call, input: InputOf<typeof editRoleCode>): Promise<RoleCode> {
      const { code, name, description } = input
      await operate(db, operation, async (transaction) => {
        const id = await lockRoleCode(transaction, input)
        await transaction.updateTable('role_code').set({ name, description }).where('id', '=', id).execute()
      })
      return get(caller, code)
    },

    remove: ({ caller, operation }: Call, input: InputOf<typeof deleteRoleCode>): Promise<number> =>
      operate(db, operation, async (transaction) => {
        const id = await lockRoleCode(transaction, input)
        const { rows } = await sql<{ name: string; isSeen: boolean }>`
          select role.name, ${isRoleOf(caller, 'reads')} as "isSeen" from role
          where role.code = ${input.code} order by role.id`.execute(transaction)
        // Roles that the caller may not see are counted, not named.
        const seen = rows.filter(({ isSeen }) => isSeen).slice(0, MAX_NAMED)
        if (rows.length > 0) {
          if (seen.length === 0) throw new AppError('entity.in-use', { entity: 'role', count: rows.length })
          throw new AppError('entity.in-use', { by: seen.map(({ name }) => name).join(', ') })
        }
        await transaction.deleteFrom('role_code').where('id', '=', id).execute()
        return 1
      }),
  }
}
