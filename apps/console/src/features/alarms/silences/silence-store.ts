import type { NodeKey } from '@isotherm/contract/tree'
import { create } from 'zustand'

/** A node somebody wants to silence. */
export interface NodeToSilence {
  readonly key: NodeKey
  readonly name: string
}

interface Asking {
  /** Whether the dialog is open. */
  readonly open: boolean
  /** Absent when the place is still to be chosen. */
  readonly node: NodeToSilence | undefined
}

/** The open dialog that silences a place: asked for by the page of alarms and by the menu of the tree. */
export const useSilenceAsked = create<Asking>(() => ({ open: false, node: undefined }))

export const askToSilence = (node?: NodeToSilence): void => useSilenceAsked.setState({ open: true, node })

export const closeSilence = (): void => useSilenceAsked.setState({ open: false })
