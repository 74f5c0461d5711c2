import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import { type FindAccess, findCaller, type Principal } from '../../../../platform/caller-of-account.ts'
import type { Call } from '../../../../platform/http/call.ts'
import { type Operation, toSystemOperation } from '../../../../platform/operation/operation.ts'
import { covers } from '../../../../platform/scope/scope.ts'
import { mayControl } from './policy.ts'

/** The account for which a campaign or strategy acts, and what it acts on. */
export interface Mandate extends Principal {
  readonly id: number
  readonly mode: { readonly kind: BalanceKind }
  readonly nodePath: string
  /** Name of the operation in the operation log. */
  readonly operation: 'campaign' | 'strategy'
}

/** An operation of a campaign or strategy, in the name of the account that let it run. */
export const toOperation = (
  { id, accountId, account, operation }: Mandate,
  companyId: number | undefined,
  at: number,
): Operation => ({
  ...toSystemOperation(operation, at),
  accountId: accountId ?? undefined,
  account,
  companyId,
  input: { id },
})

/** A call of that account with its present permissions; undefined if they are no longer sufficient. */
export async function actFor(
  findAccess: FindAccess,
  mandate: Mandate,
  at: number,
): Promise<Pick<Call, 'caller' | 'operation'> | undefined> {
  const caller = await findCaller(findAccess, mandate)
  if (!caller || !mayControl(caller, mandate.mode.kind) || !covers(caller.scope, mandate.nodePath))
    return undefined
  return { caller, operation: toOperation(mandate, caller.companyId, at) }
}
