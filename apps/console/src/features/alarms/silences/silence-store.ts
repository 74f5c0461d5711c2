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
export const useSilenceAsked = create<DialogState>(() => ({ open: false, node: undefined }))

export const askToSilence = (node?: NodeToSilence): void => useSilenceAsked.setState({ open: true, node })

export const closeSilence = (): void => useSilenceAsked.setState({ open: false })
