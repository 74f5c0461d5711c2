import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { insertUserByTk, regUser2 } from '@isotherm/contract/endpoints/administration/users'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { hashPassword, requirePassword } from '../../session/index.ts'
import type { UsersDependencies } from '../dependencies.ts'
import {
  getCompany,
  getVersion,
  insertAccount,
  type LockedAccount,
  listCompaniesOf,
  lockParent,
  requireOrganisation,
} from '../queries/accounts.pg.ts'
import { addGrants, type GrantSet } from '../queries/grant-changes.pg.ts'
import { type AccountKind, listKinds } from '../queries/managed.pg.ts'
import { requireWithinParent } from '../queries/sub-accounts.pg.ts'
import { addRoles, requireGivable } from '../queries/user-roles.pg.ts'
import { useCode } from '../verification/verification.pg.ts'

type NewUser = InputOf<typeof insertUserByTk> & Omit<Partial<InputOf<typeof regUser2>>, 'token'>

interface Ownership {
  readonly kind: AccountKind
  readonly company_id: number | null
  /** pAccount: the owner of the account. */
  readonly p_account: string
}

/** Throws access.denied or account.beyond-yours when the caller may not create an account of the kind. */
function requireKind(caller: Caller, kind: AccountKind, seesAll: boolean): void {
  if (!listKinds(caller).includes(kind)) {
    if (kind === 'provider' && caller.companyId !== undefined) {
      throw new AppError('account.beyond-yours', { what: 'usrUserType 100' })
    }
    throw new AppError('access.denied')
  }
  if (seesAll && (kind !== 'provider' || !seesEverything(caller.scope))) {
    throw new AppError('account.beyond-yours', { what: 'seesAll' })
  }
}

/** The one company of the organisation and grants; undefined without any. Throws company.not-found for several. */
async function findCompanyOfGiven(
  transaction: Transaction<Tables>,
  input: NewUser,
  grants: GrantSet,
): Promise<number | undefined> {
  const given = { ...grants, organisationId: input.organisationId ?? undefined }
  const [company, ...more] = await listCompaniesOf(transaction, given)
  if (more.length > 0) throw new AppError('company.not-found')
  return company
}

async function findOwnership(
  transaction: Transaction<Tables>,
  caller: Caller,
  given: {
    readonly input: NewUser
    readonly grants: GrantSet
    readonly parent: LockedAccount | undefined
    readonly kind: AccountKind
  },
): Promise<Ownership> {
  const { input, grants, parent, kind } = given
  if (parent) {
    return { kind: parent.kind, company_id: parent.companyId, p_account: parent.account }
  }
  if (kind === 'provider') return { kind, company_id: null, p_account: input.account }
  const named = caller.companyId ?? input.companyId ?? (await findCompanyOfGiven(transaction, input, grants))
  const { id, tenant } = await getCompany(transaction, named)
  return { kind, company_id: id, p_account: tenant }
}

/** Creates accounts. */
export function createRegistration({ db, clock, verification, toGrantSet }: UsersDependencies) {
  async function add(
    transaction: Transaction<Tables>,
    caller: Caller,
    given: {
      readonly input: NewUser
      readonly grants: GrantSet
      readonly parentAccount: string | undefined
      readonly passwordHash: string
    },
  ): Promise<number> {
    const { input, grants, parentAccount, passwordHash } = given
    const parent =
      parentAccount === undefined ? undefined : await lockParent(transaction, caller, parentAccount)
    const kind = parent?.kind ?? (input.usrUserType === '100' ? 'provider' : 'company')
    requireKind(caller, kind, input.seesAll ?? false)
    if (parent && input.seesAll) throw new AppError('account.bad-parent', { account: parent.account })
    const ownership = await findOwnership(transaction, caller, { input, grants, parent, kind })
    const owner = { account: input.account, companyId: ownership.company_id }
    await requirePassword(transaction, owner, { hash: input.password, text: input.passwordText })
    const organisationId = input.organisationId ?? null
    if (organisationId !== null) await requireOrganisation(transaction, organisationId, ownership.company_id)
    const { account, name, tel } = input
    const id = await insertAccount(transaction, {
      account,
      name,
      tel,
      ...ownership,
      password_hash: passwordHash,
      password_set_at: new Date(clock.now()),
      password_given: true,
      sees_all: input.seesAll ?? false,
      parent_id: parent?.id ?? null,
      organisation_id: organisationId,
      created_at: new Date(clock.now()),
    })
    await requireGivable(transaction, caller, input.roleIds, ownership.company_id)
    await addRoles(transaction, id, input.roleIds)
    await addGrants(transaction, { id, companyId: ownership.company_id }, grants)
    await requireWithinParent(transaction, id)
    return id
  }

  async function register(
    { caller, operation }: Call,
    input: NewUser,
    parentAccount: string | undefined,
  ): Promise<OutputOf<typeof regUser2>> {
    const { account, tel, password } = input
    const owner = { tel, accountId: caller.accountId }
    const needsCode = verification.isConfigured && tel !== ''
    const codeId = needsCode ? await verification.check(owner, input.verificationCode) : undefined
    const grants = await toGrantSet(caller.scope, input)
    const passwordHash = await hashPassword(password)
    return operate(db, operation, async (transaction) => {
      if (codeId !== undefined) await useCode(transaction, codeId, clock.now())
      const id = await add(transaction, caller, { input, grants, parentAccount, passwordHash })
      return { id, account, version: await getVersion(transaction, id) }
    })
  }

  return {
    register: (call: Call, input: InputOf<typeof regUser2>) =>
      register(call, input, input.secAccount ?? undefined),
    registerSubAccount: (call: Call, input: InputOf<typeof insertUserByTk>) =>
      register(call, input, call.caller.account),
  }
}
