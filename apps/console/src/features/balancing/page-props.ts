import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { NodeKey } from '@isotherm/contract/tree'
import type { BalancingUrl } from './balancing-url.ts'

/** What every part of a balancing page is given. */
export interface BalancingProps {
  readonly kind: BalanceKind
  readonly url: BalancingUrl
  readonly change: (change: Partial<BalancingUrl>, options?: { readonly push?: boolean }) => void
  /** What the tree has selected. */
  readonly nodes: readonly NodeKey[]
}
