import { type ReactNode, useEffect } from 'react'
import { closePlaceLabels, usePlaceLabels } from '../../features/devices/labels/place-labels-store.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'

const loadDialog = () => import('../../features/devices/labels/place-labels-dialog.tsx')

/** The dialog that prints labels of households. Loaded when the tree first opens it. */
export function LazyPlaceLabels(): ReactNode {
  const isOpen = usePlaceLabels(({ node }) => node !== undefined)
  // Close the dialog at logout, so that the next user does not see it.
  useEffect(() => closePlaceLabels, [])
  return <LazyPart wanted={isOpen} load={loadDialog} onFailed={closePlaceLabels} />
}
