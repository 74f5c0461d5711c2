import type { NodeKey } from '@isotherm/contract/tree'
import { create } from 'zustand'

/** A node to silence. */
export interface NodeToSilence {
  readonly key: NodeKey
  readonly name: string
}

interface DialogState {
  /** Whether the dialog is open. */
  readonly open: boolean
  /** Undefined if the user must choose the node. */
  readonly node: NodeToSilence | undefined
}

/** State of the silence dialog. It is opened from the alarms page and the tree menu. */
export const useSilenceDialog = create<DialogState>(() => ({ open: false, node: undefined }))

export const openSilenceDialog = (node?: NodeToSilence): void =>
  useSilenceDialog.setState({ open: true, node })

export const closeSilenceDialog = (): void => useSilenceDialog.setState({ open: false })
