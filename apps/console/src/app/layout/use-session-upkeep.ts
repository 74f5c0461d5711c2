import { getUser } from '@isotherm/contract/endpoints/session'
import { useEffect } from 'react'
import { clearNetwork } from '../../features/network/network-store.ts'
import { refreshIfDue } from '../../features/session/refresh.ts'
import { call } from '../../shared/api/client.ts'
import { live } from '../../shared/live/live.ts'
import { forgetAccess, useSession } from '../../shared/session/session-store.ts'
import { findTokens, sessionKeys } from '../../shared/session/tokens.ts'
import { clearTreeSelection } from '../../shared/tree-selection.ts'
import { queryClient } from '../query-client.ts'
import { clearTabs } from '../tabs/tabs-store.ts'

/** How often the 90-minute refresh is looked at: a machine that slept through it wakes up late otherwise. */
const LOOK_EVERY_MS = 30_000

const refresh = (): void => {
  refreshIfDue().catch((error: unknown) => console.error('the session could not be refreshed', error))
}

/** Another tab may have signed in as somebody else; then nothing here belongs to the user any more. */
async function reloadIfOther(): Promise<void> {
  const known = useSession.getState().user?.id
  const user = await call(getUser, {}, { onExpired: 'reject', quiet: true })
  if (known !== undefined && user.id !== known) location.reload()
}

function clearEverything(): void {
  live.stop()
  queryClient.clear()
  clearTabs()
  clearTreeSelection()
  clearNetwork()
}

/**
 * What goes on as long as the shell stands: the live connection, the token refresh, and an eye on the other
 * tabs. `onLost` runs when another tab has ended the session. Everything of the user is cleared at the end.
 */
export function useSessionUpkeep(onLost: () => void): void {
  useEffect(() => {
    live.start()
    refresh()
    const timer = setInterval(refresh, LOOK_EVERY_MS)
    const watch = ({ key, newValue }: StorageEvent) => {
      if (key !== sessionKeys.first && key !== null) return
      if (newValue !== null) {
        reloadIfOther().catch((error: unknown) => console.error('the user could not be checked', error))
      } else if (!findTokens(localStorage, Date.now())) {
        forgetAccess()
        onLost()
      }
    }
    window.addEventListener('storage', watch)
    return () => {
      clearInterval(timer)
      window.removeEventListener('storage', watch)
      clearEverything()
    }
  }, [onLost])
}
