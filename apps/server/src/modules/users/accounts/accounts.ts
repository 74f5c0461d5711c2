import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { resetSecondFactor } from '@isotherm/contract/endpoints/administration/second-factor'
import type * as access from '@isotherm/contract/endpoints/administration/user-access'
import type * as api from '@isotherm/contract/endpoints/administration/users'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller, PublicCall } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { seesEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { endSessions, hashPassword, removeFactor, requirePassword, setPassword } from '../../session/index.ts'
import type { UsersDependencies } from '../dependencies.ts'
import {
  deleteAccounts,
  deleteKeysOf,
  getVersion,
  type LockedAccount,
  lockAccount,
  lockAccounts,
  lockParent,
  lockVerified,
  requireAdministrator,
  requireOrganisation,
  touchAccounts,
  updateAccount,
} from '../queries/accounts.pg.ts'
import { listSessions } from '../queries/sessions.pg.ts'
import {
  countSubAccounts,
  getCompanyName,
  listSubAccounts,
  lockParents,
  narrowGrantsBelow,
  requireWithinParent,
} from '../queries/sub-accounts.pg.ts'
import { findUser } from '../queries/users.pg.ts'
import { setRoles } from '../rights/role-changes.ts'
import { useCode } from '../verification/verification.pg.ts'

type Edit = InputOf<typeof api.editUser>

/** Throws account.yourself: on their own account nobody makes a change that could lock them out or raise their rights. */
function requireOther(caller: Caller, id: number): void {
  if (id === caller.accountId) throw new AppError('account.yourself')
}

async function toChanged(
  transaction: Transaction<Tables>,
  { id, account }: Pick<LockedAccount, 'id' | 'account'>,
): Promise<OutputOf<typeof api.editUser>> {
  return { id, account, version: await getVersion(transaction, id) }
}

/** Makes an account a sub-account of the account named `secAccount`; null: of none. Throws account.bad-parent. */
async function move(
  transaction: Transaction<Tables>,
  caller: Caller,
  locked: LockedAccount,
  secAccount: string | null,
): Promise<void> {
  if (secAccount === null) {
    const pAccount = await getCompanyName(transaction, locked)
    await updateAccount(transaction, locked.id, { parent_id: null, p_account: pAccount })
    return
  }
  const parent = await lockParent(transaction, caller, secAccount)
  const isFit = parent.id !== locked.id && parent.companyId === locked.companyId && !locked.seesAll
  if (!isFit || (await countSubAccounts(transaction, locked.id)) > 0) {
    throw new AppError('account.bad-parent', { account: secAccount })
  }
  await updateAccount(transaction, locked.id, { parent_id: parent.id, p_account: parent.account })
  await requireWithinParent(transaction, locked.id)
}

/** Whether an edit changes rights. Nobody changes their own rights. */
const isAboutRights = ({ secAccount, roleIds, seesAll }: Edit): boolean =>
  secAccount !== undefined || roleIds !== undefined || seesAll !== undefined

function requireSeesAll(caller: Caller, locked: LockedAccount, seesAll: boolean): void {
  const fits = locked.kind === 'provider' && seesEverything(caller.scope) && locked.parentId === null
  if (seesAll && !fits) throw new AppError('account.beyond-yours', { what: 'seesAll' })
}

/** Changes existing accounts. */
export function createAccounts({ db, clock, verification, session }: UsersDependencies) {
  /** Ends the open sessions of accounts. */
  const endSessionsOf = (transaction: Transaction<Tables>, accountIds: readonly number[]) =>
    endSessions(transaction, { accountIds }, clock.now())

  async function replacePassword(
    transaction: Transaction<Tables>,
    id: number,
    given: { readonly hash: string; readonly isGiven: boolean },
  ): Promise<void> {
    await setPassword(transaction, id, { ...given, now: clock.now() })
    await touchAccounts(transaction, [id], 'password_rev')
    await endSessionsOf(transaction, [id])
    // A person who knew the old password may have added API keys.
    await deleteKeysOf(transaction, id)
  }

  async function verifyTel(caller: Caller, { id, tel, verificationCode }: Edit): Promise<number | undefined> {
    if (!verification.isConfigured || tel === undefined || tel === '') return undefined
    const before = await findUser(db, caller, id)
    if (before?.tel === tel) return undefined
    return verification.check({ tel, accountId: caller.accountId }, verificationCode)
  }

  async function applyEdit(
    transaction: Transaction<Tables>,
    caller: Caller,
    locked: LockedAccount,
    input: Edit,
  ): Promise<void> {
    const { id, name, tel, organisationId, secAccount, roleIds, seesAll } = input
    if (typeof organisationId === 'number') {
      await requireOrganisation(transaction, organisationId, locked.companyId)
    }
    if (seesAll !== undefined) requireSeesAll(caller, locked, seesAll)
    await updateAccount(transaction, id, { name, tel, organisation_id: organisationId, sees_all: seesAll })
    if (locked.seesAll && seesAll === false) await narrowGrantsBelow(transaction, id)
    if (secAccount !== undefined) await move(transaction, caller, locked, secAccount)
    if (roleIds !== undefined) await setRoles(transaction, caller, locked, { roleIds, now: clock.now() })
    if (locked.seesAll && isAboutRights(input)) await requireAdministrator(transaction)
  }

  return {
    async edit({ caller, operation }: Call, input: Edit) {
      if (isAboutRights(input)) requireOther(caller, input.id)
      const codeId = await verifyTel(caller, input)
      return operate(db, operation, async (transaction) => {
        if (input.secAccount !== undefined) await lockParents(transaction)
        const locked = await lockAccount(transaction, caller, input)
        if (codeId !== undefined) await useCode(transaction, codeId, clock.now())
        await applyEdit(transaction, caller, locked, input)
        return toChanged(transaction, locked)
      })
    },

    async setEnabled({ caller, operation }: Call, input: InputOf<typeof api.editUserEnableState>) {
      requireOther(caller, input.id)
      const { id, state, version } = input
      return operate(db, operation, async (transaction) => {
        const locked = await lockAccount(transaction, caller, { id, version })
        await updateAccount(transaction, id, { enabled: state === 1 })
        if (state === 0) {
          // The sub-accounts have no rights either until it is enabled again.
          await endSessionsOf(transaction, [id, ...(await listSubAccounts(transaction, id))])
          if (locked.seesAll) await requireAdministrator(transaction)
        }
        return toChanged(transaction, locked)
      })
    },

    async remove({ caller, operation }: Call, { items }: InputOf<typeof api.deleteUsers>) {
      for (const { id } of items) requireOther(caller, id)
      return operate(db, operation, async (transaction) => {
        const locked = await lockAccounts(transaction, caller, items)
        const ids = locked.map(({ id }) => id)
        await endSessionsOf(transaction, ids)
        await deleteAccounts(transaction, ids)
        if (locked.some(({ seesAll }) => seesAll)) await requireAdministrator(transaction)
        return { accounts: locked.map(({ account }) => account) }
      })
    },

    async resetPassword({ caller, operation }: Call, input: InputOf<typeof access.resetPassword>) {
      const { uid: id, version, password: hash, passwordText: text } = input
      requireOther(caller, id)
      const before = await findUser(db, caller, id)
      if (before) {
        const { account, companyId } = before
        // Without the id, so without earlier passwords: the refusal would reveal the user's password to those who reset it.
        await requirePassword(db, { account, companyId }, { hash, text })
      }
      const passwordHash = await hashPassword(hash)
      return operate(db, operation, async (transaction) => {
        const locked = await lockAccount(transaction, caller, { id, version })
        await replacePassword(transaction, id, { hash: passwordHash, isGiven: true })
        return toChanged(transaction, locked)
      })
    },

    async resetSecondFactor({ caller, operation }: Call, input: InputOf<typeof resetSecondFactor>) {
      const { uid: id, version } = input
      requireOther(caller, id)
      return operate(db, operation, async (transaction) => {
        const locked = await lockAccount(transaction, caller, { id, version })
        if (!(await removeFactor(transaction, id))) throw new AppError('second-factor.off')
        await endSessionsOf(transaction, [id])
        return toChanged(transaction, locked)
      })
    },

    /** Changes the caller's own password. Needs the old password instead of a session. */
    async changePassword(call: PublicCall, input: InputOf<typeof access.changePassword>) {
      const next = { hash: input.newPassword, text: input.newPasswordText }
      const verified = await session.verify(input, call, (owner) => requirePassword(db, owner, next))
      const { id, account } = verified
      const passwordHash = await hashPassword(input.newPassword)
      return operate(db, call.operation, async (transaction) => {
        await lockVerified(transaction, verified)
        await replacePassword(transaction, id, { hash: passwordHash, isGiven: false })
        return { account }
      })
    },

    async listSessions({ caller }: Call, { uid, limiter }: InputOf<typeof access.getSessions>) {
      if (!(await findUser(db, caller, uid))) throw new AppError('account.not-found')
      return listSessions(db, caller, { uid, limiter, now: clock.now() })
    },

    endSessions: ({ operation }: Call, { ids }: InputOf<typeof access.endSessions>) =>
      operate(db, operation, async (transaction) => {
        const ended = await endSessions(transaction, { sessionIds: ids }, clock.now())
        return { ended }
      }),
  }
}
