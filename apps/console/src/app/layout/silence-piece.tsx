import { type ReactNode, useEffect } from 'react'
import { closeSilence, useSilenceAsked } from '../../features/alarms/silences/silence-store.ts'
import { Piece } from '../../shared/ui/piece.tsx'

const loadDialog = () => import('../../features/alarms/silences/silence-dialog.tsx')

/** The dialog that silences a place, loaded when the tree or the page of alarms first asks for it. */
export function SilencePiece(): ReactNode {
  const open = useSilenceAsked((asked) => asked.open)
  // Who signs in next is not asked what another wanted to silence.
  useEffect(() => closeSilence, [])
  return <Piece wanted={open} load={loadDialog} onFailed={closeSilence} />
}
