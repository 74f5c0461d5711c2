import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { useEffect } from 'react'
import { useExpired } from '../../features/session/expiry/expired.ts'
import { call } from '../../shared/api/client.ts'
import { useReach } from '../../shared/api/reach.ts'
import { resumeQueries } from '../../shared/api/resume.ts'
import { live } from '../../shared/live/live.ts'
import { queryClient } from '../query-client.ts'

/** How often a server that did not answer is asked whether it is back. */
const ASK_EVERY_MS = 5_000

function resume(): void {
  resumeQueries(queryClient).catch((error: unknown) => console.error('queries could not be resumed', error))
}

/** Asks for something small; its outcome reaches `useReach` by itself. */
function ask(): void {
  call(getConsoleSettings, {}, { quiet: true }).catch((error: unknown) =>
    console.info('the server still does not answer', error),
  )
}

/** Everything the pages hold is asked for again, and the live connection begins with the present tokens. */
function renew(): void {
  live.restart()
  queryClient
    .invalidateQueries()
    .catch((error: unknown) => console.error('queries could not be renewed', error))
}

/** Work that a lost connection or an expired session has stopped goes on by itself when it is back. */
export function useResumption(): void {
  const isUnanswered = useReach(({ since }) => since !== undefined)
  useEffect(() => {
    if (!isUnanswered) return
    const timer = setInterval(ask, ASK_EVERY_MS)
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
      if (state === 'standing' && before.state === 'declined') renew()
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
