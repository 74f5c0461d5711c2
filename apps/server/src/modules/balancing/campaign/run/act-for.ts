import type { Permission } from '@isotherm/contract/access/permissions'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Call, Caller } from '../../../../platform/http/call.ts'
import { type Operation, toSystemOperation } from '../../../../platform/operation/operation.ts'
import { covers, type Scope, scopeOfEverything } from '../../../../platform/scope/scope.ts'
import { mayControl } from './policy.ts'

/** Present permissions of an account; undefined for one that is deleted or disabled. */
export type FindAccess = (accountId: number) => Promise<
  | {
      readonly companyId: number | undefined
      readonly permissions: ReadonlySet<Permission>
      readonly scope: Scope
    }
  | undefined
>

/** The account for which a campaign or strategy acts, and what it acts on. */
export interface Mandate {
  readonly id: number
  readonly accountId: number | null
  readonly account: string
  readonly mode: { readonly kind: BalanceKind }
  readonly nodePath: string
  /** Name of the operation in the operation log. */
  readonly operation: 'campaign' | 'strategy'
}

/** Acts without a session: nobody is signed in. */
const withoutSession = { sessionId: 0, tokenHash: Buffer.alloc(0), expiresAt: 0 } as const

/** A caller that may read the commands of every account and may change nothing. */
export const reader: Caller = {
  ...withoutSession,
  accountId: 0,
  account: '',
  companyId: undefined,
  permissions: new Set(),
  scope: scopeOfEverything,
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
  const { accountId, account, mode, nodePath } = mandate
  const access = accountId === null ? undefined : await findAccess(accountId)
  if (!access || accountId === null) return undefined
  const { permissions, scope, companyId } = access
  if (!mayControl(access, mode.kind) || !covers(scope, nodePath)) return undefined
  return {
    caller: { ...withoutSession, accountId, account, companyId, permissions, scope },
    operation: toOperation(mandate, companyId, at),
  }
}
