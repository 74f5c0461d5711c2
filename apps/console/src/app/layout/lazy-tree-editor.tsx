import { type ReactNode, useEffect } from 'react'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { closeTreeEdit, useTreeEdit } from '../../shared/nodes/tree-edit.ts'

const loadEditor = () => import('../../features/network/edit/tree-editor.tsx')

/** The dialogs that edit the tree. Loaded when the tree or the home page first opens one. */
export function LazyTreeEditor(): ReactNode {
  const isEditing = useTreeEdit(({ job }) => job !== undefined)
  // Close the dialog at logout, so that the next user does not see it.
  useEffect(() => closeTreeEdit, [])
  return <LazyPart load={loadEditor} wanted={isEditing} onFailed={closeTreeEdit} />
}
