import type { Permission } from '@isotherm/contract/access/permissions'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Call, Caller } from '../../../../platform/http/call.ts'
import { type Operation, toSystemOperation } from '../../../../platform/operation/operation.ts'
import { covers, type Scope, scopeOfEverything } from '../../../../platform/scope/scope.ts'
import { mayControl } from './policy.ts'

/** What an account may do now; undefined for one that is gone or disabled. */
export type FindAccess = (accountId: number) => Promise<
  | {
      readonly companyId: number | undefined
      readonly permissions: ReadonlySet<Permission>
      readonly scope: Scope
    }
  | undefined
>

/** On whose behalf a campaign or strategy goes on, and what it is about. */
export interface Mandate {
  readonly id: number
  readonly accountId: number | null
  readonly account: string
  readonly mode: { readonly kind: BalanceKind }
  readonly nodePath: string
  /** What it does by itself, as the operation log calls it. */
  readonly operation: 'campaign' | 'strategy'
}

/** There is no session: nobody is signed in for it. */
const withoutSession = { sessionId: 0, tokenHash: Buffer.alloc(0), expiresAt: 0 } as const

/** Who looks at what was ordered, whoever ordered it; may do nothing. */
export const onlooker: Caller = {
  ...withoutSession,
  accountId: 0,
  account: '',
  companyId: undefined,
  permissions: new Set(),
  scope: scopeOfEverything,
}

/** An operation of what goes on by itself, in the name of who let it. */
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

/** A call of who let it go on, with what they may do now; undefined once they may not any more. */
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
