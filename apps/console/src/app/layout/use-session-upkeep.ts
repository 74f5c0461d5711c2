import { useEffect } from 'react'
import { clearNetwork } from '../../features/network/session/network-store.ts'
import { expired } from '../../features/session/expiry/expired.ts'
import { refreshIfDue } from '../../features/session/expiry/refresh.ts'
import { live } from '../../shared/live/live.ts'
import { clearTreeSelection } from '../../shared/nodes/tree-selection.ts'
import { clearAccess, useSession } from '../../shared/session/session-store.ts'
import { findTokens, sessionKeys } from '../../shared/session/tokens.ts'
import { clearNotFoundPlace } from '../guard/not-found-place.ts'
import { showPalette, showScan } from '../palette/palette-store.ts'
import { queryClient } from '../query-client.ts'
import { closeDrawers } from '../state/sidebar-store.ts'
import { clearTabs } from '../tabs/tabs-store.ts'
import { useResumption } from './use-resumption.ts'

/**
 * Interval of checks whether a token refresh is due, ms. A single timer of 90 minutes would be late after the computer
 * has slept.
 */
const CHECK_EVERY_MS = 30_000

const refresh = (): void => {
  refreshIfDue().catch((error: unknown) => console.error('the session could not be refreshed', error))
}

function clearEverything(): void {
  expired.markEnded()
  live.stop()
  queryClient.clear()
  clearTabs()
  clearTreeSelection()
  clearNetwork()
  clearNotFoundPlace()
  showPalette(false)
  showScan(false)
  closeDrawers()
}

/**
 * While the shell is mounted, runs the live connection, refreshes the tokens and watches the other tabs. Calls `onLost`
 * when another tab has ended the session. Clears all data of the user at the end.
 */
export function useSessionUpkeep(onLost: () => void): void {
  useResumption()
  useEffect(() => {
    live.start()
    refresh()
    const timer = setInterval(refresh, CHECK_EVERY_MS)
    const watch = ({ key }: StorageEvent) => {
      if (key !== sessionKeys.first && key !== null) return
      const tokens = findTokens(localStorage, Date.now())
      if (!tokens) {
        expired.markEnded()
        clearAccess()
        onLost()
      } else if (tokens.uid === String(useSession.getState().user?.id)) expired.markRenewed()
      // Another tab logged in as another user, so this tab must drop its data.
      else location.assign('/')
    }
    window.addEventListener('storage', watch)
    return () => {
      clearInterval(timer)
      window.removeEventListener('storage', watch)
      clearEverything()
    }
  }, [onLost])
}
