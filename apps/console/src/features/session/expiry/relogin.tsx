import { type ReactNode, useEffect } from 'react'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'
import { expired, provideLeave, useExpired } from './expired.ts'

const loadDialog = () => import('./relogin-dialog.tsx')

/** Delay before the dialog is loaded, ms: after the first page, long before a session expires. */
const LOAD_AFTER_MS = 10_000

/**
 * Dialog of an expired session (specification, sections 4 and 8). Re-Login opens a new session with the stored account,
 * else calls `onLost` to open the login page. Cancel leaves the page as it is, marked as expired. The dialog closes
 * when another tab has logged in.
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
  const isWanted = state === 'prompting' || state === 'renewing'
  // If the dialog cannot load, the banner stays and offers it again.
  return <LazyPart wanted={isWanted} load={loadDialog} onFailed={expired.cancel} />
}
