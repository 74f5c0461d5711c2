import { type BalanceKind, balancePermissions } from '@isotherm/contract/balancing'
import { useSession } from '../../../shared/session/session-store.ts'

/** Whether the user may make and try strategies of a kind, as the server judges it. */
export const useMayControl = (kind: BalanceKind): boolean =>
  useSession(({ permitted }) => permitted.has('pe-fmcontrol') && permitted.has(balancePermissions[kind]))
