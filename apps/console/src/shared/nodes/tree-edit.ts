import type { NodeKey } from '@isotherm/contract/tree'
import { create } from 'zustand'

/** What the user wants to do with a node of the tree. */
export type EditKind = 'add' | 'edit' | 'move' | 'remove'

export interface EditJob {
  readonly kind: EditKind
  readonly node: NodeKey
  /** Name of the node, for the title while its record loads. */
  readonly name: string
  /** New parent of a moved node, if it is chosen already. */
  readonly target?: { readonly key: NodeKey; readonly nestaddr: string }
}

/** The open dialog of the tree editor. */
export const useTreeEdit = create<{ readonly job: EditJob | undefined }>(() => ({ job: undefined }))

export const openTreeEdit = (job: EditJob): void => useTreeEdit.setState({ job })

export const closeTreeEdit = (): void => useTreeEdit.setState({ job: undefined })
