import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { SelectedNode } from './tree-selection.ts'

/** Something a feature lets be done with a node: an entry of the tree's menu. */
export interface NodeAction {
  readonly key: string
  /** Text of the entry: `(t) => t('silence.menu', { ns: 'alarms' })`. */
  readonly title: (t: TFunction) => string
  readonly icon: ComponentType
  readonly act: (node: SelectedNode) => void
}
