import { type ReactNode, useEffect } from 'react'
import { closeTreeEdit, useTreeEdit } from '../../shared/nodes/tree-edit.ts'
import { Piece } from '../../shared/ui/piece.tsx'

const loadEditor = () => import('../../features/network/edit/tree-editor.tsx')

/** The dialogs that edit the tree. Loaded when the tree or the home page first opens one. */
export function TreeEditorPiece(): ReactNode {
  const isEditing = useTreeEdit(({ job }) => job !== undefined)
  // Close the dialog at logout, so that the next user does not see it.
  useEffect(() => closeTreeEdit, [])
  return <Piece load={loadEditor} wanted={isEditing} onFailed={closeTreeEdit} />
}
