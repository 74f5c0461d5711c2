import type { NodeKey } from '@isotherm/contract/tree'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { SelectedNode } from './tree-selection.ts'

/** A question to the server whether the user may do something. */
export interface AbilityQuery {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<boolean>
}

/** Something a feature lets be done with a node: an entry of the tree's menu. */
export interface NodeAction {
  readonly key: string
  /** Text of the entry: `(t) => t('silence.menu', { ns: 'alarms' })`. */
  readonly title: (t: TFunction) => string
  readonly icon: ComponentType
  /** Asks the server whether it may be done with a node: until that is known it cannot be, and it is not offered if not. */
  readonly ability: (node: NodeKey) => AbilityQuery
  readonly act: (node: SelectedNode) => void
}
