import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { useEffect } from 'react'
import { useExpired } from '../../features/session/expiry/expired.ts'
import { call } from '../../shared/api/client.ts'
import { useReach } from '../../shared/api/reach.ts'
import { resumeQueries } from '../../shared/api/resume.ts'
import { live } from '../../shared/live/live.ts'
import { queryClient } from '../query-client.ts'

/** Interval of checks whether an unreachable server is back, ms. */
const CHECK_EVERY_MS = 5_000

function resume(): void {
  resumeQueries(queryClient).catch((error: unknown) => console.error('queries could not be resumed', error))
}

/** Sends a small call. Its outcome updates `useReach`. */
function checkServer(): void {
  call(getConsoleSettings, {}, { quiet: true }).catch((error: unknown) =>
    console.info('the server still does not answer', error),
  )
}

/** Refetches all cached data and restarts the live connection with the current tokens. */
function refetchAll(): void {
  live.restart()
  queryClient
    .invalidateQueries()
    .catch((error: unknown) => console.error('queries could not be refetched', error))
}

/** Resumes work after a lost connection or an expired session. */
export function useResumption(): void {
  const isUnanswered = useReach(({ since }) => since !== undefined)
  useEffect(() => {
    if (!isUnanswered) return
    const timer = setInterval(checkServer, CHECK_EVERY_MS)
    return () => {
      clearInterval(timer)
      resume()
    }
  }, [isUnanswered])
  useEffect(() => {
    let { phase } = live.status()
    const leaveLive = live.onStatus(() => {
      const before = phase
      phase = live.status().phase
      if (phase === 'connected' && before !== 'connected') resume()
    })
    const leaveExpired = useExpired.subscribe(({ state }, before) => {
      if (state === 'valid' && before.state === 'declined') refetchAll()
    })
    const reconnect = () => {
      if (live.status().phase === 'waiting') live.restart()
    }
    window.addEventListener('online', reconnect)
    return () => {
      leaveLive()
      leaveExpired()
      window.removeEventListener('online', reconnect)
    }
  }, [])
}
