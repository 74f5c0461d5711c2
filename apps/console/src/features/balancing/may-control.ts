import { type BalanceKind, balancePermissions } from '@isotherm/contract/balancing/balance-kind'
import { useSession } from '../../shared/session/session-store.ts'

/** Whether who has these permissions may begin campaigns and keep strategies of a kind, as the server judges it. */
export const mayControl = (permitted: ReadonlySet<string>, kind: BalanceKind): boolean =>
  permitted.has('pe-fmcontrol') && permitted.has(balancePermissions[kind])

/** The same of the user. */
export const useMayControl = (kind: BalanceKind): boolean =>
  useSession(({ permitted }) => mayControl(permitted, kind))
