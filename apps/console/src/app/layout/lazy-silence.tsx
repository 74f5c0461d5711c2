import { type ReactNode, useEffect } from 'react'
import { closeSilenceDialog, useSilenceDialog } from '../../features/alarms/silences/silence-store.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'

const loadDialog = () => import('../../features/alarms/silences/silence-dialog.tsx')

/** The dialog that silences alarms of a place. Loaded when the tree or the alarm page first opens it. */
export function LazySilence(): ReactNode {
  const open = useSilenceDialog(({ open }) => open)
  // Close the dialog at logout, so that the next user does not see it.
  useEffect(() => closeSilenceDialog, [])
  return <LazyPart wanted={open} load={loadDialog} onFailed={closeSilenceDialog} />
}
