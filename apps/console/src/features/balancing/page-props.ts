import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { NodeKey } from '@isotherm/contract/tree'
import type { BalancingUrl } from './balancing-url.ts'

/** Common properties of the parts of a balancing page. */
export interface BalancingProps {
  readonly kind: BalanceKind
  readonly url: BalancingUrl
  readonly change: (change: Partial<BalancingUrl>, options?: { readonly push?: boolean }) => void
  /** Nodes selected in the tree. */
  readonly nodes: readonly NodeKey[]
}
