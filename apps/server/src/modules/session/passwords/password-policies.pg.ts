import {
  defaultPasswordRules,
  type PasswordRules,
  toStricterRules,
} from '@isotherm/contract/access/password-rules'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  editPasswordPolicy,
  PasswordPolicy,
} from '@isotherm/contract/endpoints/administration/password-policy'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion, toStale } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
// Adds this module's tables to the type of the database.
import type {} from '../tables.ts'

interface PolicyRow {
  readonly id: number
  readonly companyId: number | null
  readonly rules: PasswordRules
  readonly version: number
}

async function listPolicies(db: Database, companyId: number | null): Promise<readonly PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select id, company_id as "companyId", version, jsonb_build_object('minLength', min_length, 'minKinds', min_kinds,
      'history', history, 'maxAgeDays', max_age_days, 'mustChangeGiven', must_change_given,
      'givenDays', given_days, 'needsSecondFactor', needs_second_factor, 'idleMinutes', idle_minutes) as rules
    from password_policy where company_id is null or company_id = ${companyId}`.execute(db)
  return rows
}

/** The rules of a company; with null those of the installation, which also apply to provider staff. */
export async function readPasswordRules(db: Database, companyId: number | null): Promise<PasswordRules> {
  const [first = defaultPasswordRules, ...more] = (await listPolicies(db, companyId)).map(
    ({ rules }) => rules,
  )
  return more.reduce(toStricterRules, first)
}

/** Whether the caller may change the rules of a company; with null those of the installation. */
function mayEdit({ companyId, scope, permissions }: Caller, ofCompany: number | null): boolean {
  if (companyId === undefined)
    return permissions.has('ps-htusersys') && (ofCompany !== null || seesEverything(scope))
  return ofCompany === companyId && permissions.has('ps-usersys')
}

/** The policies for passwords. A company without rules of its own has those of the installation. */
export function createPasswordPolicies(db: Database) {
  async function get(caller: Caller, companyId: number | null): Promise<PasswordPolicy> {
    const rows = await listPolicies(db, companyId)
    const own = rows.find((row) => row.companyId === companyId)
    const rules = own?.rules ?? rows[0]?.rules ?? defaultPasswordRules
    return { companyId, rules, version: own?.version ?? 0, mayEdit: mayEdit(caller, companyId) }
  }
  return {
    readRules: ({ companyId }: Caller, given: number | null | undefined): Promise<PasswordRules> =>
      readPasswordRules(db, given === undefined ? (companyId ?? null) : given),
    get,
    async edit(
      { caller, operation }: Call,
      input: InputOf<typeof editPasswordPolicy>,
    ): Promise<PasswordPolicy> {
      const { companyId, version, ...rules } = input
      if (!mayEdit(caller, companyId)) throw new AppError('access.denied')
      const row = {
        min_length: rules.minLength,
        min_kinds: rules.minKinds,
        history: rules.history,
        max_age_days: rules.maxAgeDays,
        must_change_given: rules.mustChangeGiven,
        given_days: rules.givenDays,
        needs_second_factor: rules.needsSecondFactor,
        idle_minutes: rules.idleMinutes,
      }
      await operate(db, operation, async (transaction) => {
        const found = await transaction
          .selectFrom('password_policy')
          .select('id')
          .where('company_id', 'is not distinct from', companyId)
          .executeTakeFirst()
        const versioned = { table: 'password_policy', entity: 'password-policy' } as const
        if (found) {
          await lockVersion(transaction, { ...versioned, id: found.id, version })
          await transaction.updateTable('password_policy').set(row).where('id', '=', found.id).execute()
          return
        }
        const added = await transaction
          .insertInto('password_policy')
          .values({ company_id: companyId, ...row })
          .onConflict((conflict) => conflict.column('company_id').doNothing())
          .returning('id')
          .executeTakeFirst()
        // Another caller has added the policy meanwhile, or the one that the caller has read no longer exists.
        if (!added || version !== 0)
          throw await toStale(transaction, { ...versioned, id: added?.id ?? 0, version })
      })
      return get(caller, companyId)
    },
  }
}
export type PasswordPolicies = ReturnType<typeof createPasswordPolicies>
