import { create } from 'zustand'
import type { SelectedNode } from '../../../shared/nodes/tree-selection.ts'

/** The node whose households get labels; undefined while the dialog is closed. It is opened from the tree menu. */
export const usePlaceLabels = create<{ readonly node: SelectedNode | undefined }>(() => ({ node: undefined }))

export const openPlaceLabels = (node: SelectedNode): void => usePlaceLabels.setState({ node })

export const closePlaceLabels = (): void => usePlaceLabels.setState({ node: undefined })
