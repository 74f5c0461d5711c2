import { type BalanceKind, balancePermissions } from '@isotherm/contract/balancing/balance-kind'
import { useSession } from '../../shared/session/session-store.ts'

/** Whether these permissions allow campaigns and strategies of a kind; same rule as the server. */
export const mayControl = (permitted: ReadonlySet<string>, kind: BalanceKind): boolean =>
  permitted.has('pe-fmcontrol') && permitted.has(balancePermissions[kind])

/** The same for the current user. */
export const useMayControl = (kind: BalanceKind): boolean =>
  useSession(({ permitted }) => mayControl(permitted, kind))
