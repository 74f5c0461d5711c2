import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { provideLeave, useExpired } from './expired.ts'

const ReloginDialog = lazy(() => import('./relogin-dialog.tsx'))

/** The dialog is there long before a session can run out, but the first page does not wait for it, ms. */
const LOAD_AFTER_MS = 10_000

/**
 * The dialog of an expired session (specification, sections 4 and 8). Re-Login opens a new session with what
 * this tab stored, or else leads to the login page by `onLost`; Cancel leaves the page as it is, marked as
 * expired. It closes by itself when another tab has logged in again.
 */
export function Relogin({ onLost }: { readonly onLost: () => void }): ReactNode {
  const { state } = useExpired()
  const [loaded, setLoaded] = useState(false)
  useEffect(() => provideLeave(onLost), [onLost])
  useEffect(() => {
    const timer = setTimeout(() => setLoaded(true), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const isWanted = state === 'asking' || state === 'renewing'
  if (!loaded && !isWanted) return null
  return (
    <Suspense>
      <ReloginDialog />
    </Suspense>
  )
}
