import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { addUserRole } from '@isotherm/contract/endpoints/administration/user-roles'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { endSessions } from '../../session/index.ts'
import type { UsersDependencies } from '../dependencies.ts'
import {
  getVersion,
  type LockedAccount,
  lockAccount,
  requireAdministrator,
  touchAccounts,
} from '../queries/accounts.pg.ts'
import { narrowRolesBelow, requireWithinParent } from '../queries/sub-accounts.pg.ts'
import { addRoles, listRoles, removeRoles, replaceRoles, requireGivable } from '../queries/user-roles.pg.ts'

/** Finishes a change of roles: raises the account's version and ends its sessions and those of narrowed sub-accounts. */
async function finishRoleChange(
  transaction: Transaction<Tables>,
  { id, seesAll }: LockedAccount,
  now: number,
): Promise<void> {
  const narrowed = await narrowRolesBelow(transaction, id)
  await touchAccounts(transaction, [id], 'roles_rev')
  await endSessions(transaction, { accountIds: [id, ...narrowed] }, now)
  if (seesAll) await requireAdministrator(transaction)
}

/** Sets exactly these roles on an account. */
export async function setRoles(
  transaction: Transaction<Tables>,
  caller: Caller,
  locked: LockedAccount,
  { roleIds, now }: { readonly roleIds: readonly number[]; readonly now: number },
): Promise<void> {
  await requireGivable(transaction, caller, roleIds, locked.companyId)
  if (!(await replaceRoles(transaction, locked.id, roleIds))) return
  await requireWithinParent(transaction, locked.id)
  await finishRoleChange(transaction, locked, now)
}

type Change = InputOf<typeof addUserRole>
type Changed = OutputOf<typeof addUserRole>

/** Adds roles to accounts and removes them. */
export function createRoleChanges({ db, clock }: UsersDependencies) {
  async function change(
    { caller, operation }: Call,
    { uid, version }: Change,
    work: (transaction: Transaction<Tables>, locked: LockedAccount) => Promise<void>,
  ): Promise<Changed> {
    if (uid === caller.accountId) throw new AppError('account.yourself')
    return operate(db, operation, async (transaction) => {
      const locked = await lockAccount(transaction, caller, { id: uid, version })
      await work(transaction, locked)
      await finishRoleChange(transaction, locked, clock.now())
      const datalist = await listRoles(transaction, uid)
      return { uid, version: await getVersion(transaction, uid), datalist }
    })
  }

  const give = (call: Call, input: Change, isTheirs: (locked: LockedAccount) => boolean): Promise<Changed> =>
    change(call, input, async (transaction, locked) => {
      if (!isTheirs(locked)) throw new AppError('account.not-found')
      await requireGivable(transaction, call.caller, input.roleIds, locked.companyId)
      await addRoles(transaction, locked.id, input.roleIds)
      await requireWithinParent(transaction, locked.id)
    })

  return {
    give: (call: Call, input: Change) => give(call, input, () => true),
    giveToSubAccount: (call: Call, input: Change) =>
      give(call, input, ({ parentId }) => parentId === call.caller.accountId),
    take: (call: Call, input: Change) =>
      change(call, input, (transaction, locked) => removeRoles(transaction, locked.id, input.roleIds)),
  }
}
