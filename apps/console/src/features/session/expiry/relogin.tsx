import { type ReactNode, useEffect } from 'react'
import { Piece } from '../../../shared/ui/piece.tsx'
import { expired, provideLeave, useExpired } from './expired.ts'

const loadDialog = () => import('./relogin-dialog.tsx')

/** The dialog is there long before a session can run out, but the first page does not wait for it, ms. */
const LOAD_AFTER_MS = 10_000

/**
 * The dialog of an expired session (specification, sections 4 and 8). Re-Login opens a new session with what
 * this tab stored, or else leads to the login page by `onLost`; Cancel leaves the page as it is, marked as
 * expired. It closes by itself when another tab has logged in again.
 */
export function Relogin({ onLost }: { readonly onLost: () => void }): ReactNode {
  const { state } = useExpired()
  useEffect(() => provideLeave(onLost), [onLost])
  useEffect(() => {
    const loadAhead = () => {
      loadDialog().catch((error: unknown) => console.warn('the dialog was not loaded ahead', error))
    }
    const timer = setTimeout(loadAhead, LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const isWanted = state === 'asking' || state === 'renewing'
  // Without the dialog the banner stays, and asks again.
  return <Piece wanted={isWanted} load={loadDialog} onFailed={expired.cancel} />
}
