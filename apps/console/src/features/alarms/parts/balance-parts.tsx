import { guardedRoutes } from '@isotherm/contract/access/routes'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { type BalanceKind, balancePermissions } from '@isotherm/contract/balancing/balance-kind'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsPermitted } from '../../../shared/session/session-store.ts'

/** Name of the halted strategy or aborted campaign of an alarm, if any. */
export function useBalanceName({ kind, balance }: Pick<Alarm, 'kind' | 'balance'>): string | undefined {
  const { t } = useTranslation('alarms')
  if (!balance) return undefined
  const what = kind === 'strategy-halted' ? 'strategy' : 'campaign'
  const id = balance[what]
  return id === undefined ? undefined : t(`balance.${what}`, { id })
}

interface BalanceLinkProps {
  readonly kind: BalanceKind
  readonly what: 'strategy' | 'campaign'
  readonly id: number
}

/** A link to a strategy or campaign; only its name if the user may not open the page. */
export function BalanceLink({ kind, what, id }: BalanceLinkProps) {
  const { t } = useTranslation('alarms')
  const permission = balancePermissions[kind]
  const mayOpen = useIsPermitted(permission)
  const path = guardedRoutes.find((route) => route.permission === permission)?.path
  const name = `${t(`balance.kind.${kind}`)} · ${t(`balance.${what}`, { id })}`
  if (!mayOpen || path === undefined) return name
  return (
    <Link to={`${path}?${what}=${id}`} data-testid={`alarm-${what}`}>
      {name}
    </Link>
  )
}
