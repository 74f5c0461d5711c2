import type { NodeKey } from '@isotherm/contract/tree'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { SelectedNode } from './tree-selection.ts'

/** Query whether the user may do something. */
export interface AbilityQuery {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<boolean>
}

/** An action of a feature on a node: an entry of the tree's menu. */
export interface NodeAction {
  readonly key: string
  /** Text of the entry: `(t) => t('silence.menu', { ns: 'alarms' })`. */
  readonly title: (t: TFunction) => string
  readonly icon: ComponentType
  /**
   * Query whether the action is allowed on a node. Until the answer the entry is disabled; if not allowed it is hidden.
   */
  readonly ability: (node: NodeKey) => AbilityQuery
  readonly act: (node: SelectedNode) => void
}
