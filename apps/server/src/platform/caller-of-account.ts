import type { Caller } from './http/call.ts'
import { scopeOfEverything } from './scope/scope.ts'

/** Present rights of an account; undefined for one that is deleted or disabled. */
export type FindAccess = (
  accountId: number,
) => Promise<Pick<Caller, 'companyId' | 'permissions' | 'scope'> | undefined>

/** The account in whose name the server acts later. */
export interface Principal {
  /** null if it was deleted since. */
  readonly accountId: number | null
  readonly account: string
}

/** No session: nobody is signed in. */
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

/**
 * The caller for work that an account has requested earlier, with its present rights; undefined if the account is
 * deleted or disabled.
 */
export async function findCaller(
  findAccess: FindAccess,
  { accountId, account }: Principal,
): Promise<Caller | undefined> {
  const access = accountId === null ? undefined : await findAccess(accountId)
  if (!access || accountId === null) return undefined
  const { companyId, permissions, scope } = access
  return { ...withoutSession, accountId, account, companyId, permissions, scope }
}
