import { recordActivity } from '@isotherm/contract/endpoints/administration/session'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../shared/api/client.ts'

/** Input of the user is reported to the server at most once in this time, ms. */
const REPORT_MS = MINUTE_MS
const CHECK_MS = 5_000
/** Instant of the last report of any tab, Unix ms. */
const KEY = 'isotherm.activeAt'
const INPUTS = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * Reports input of the user to the server, and calls `onIdle` after the time without input that the rules of the company
 * allow, in any tab. The server ends the session a little later.
 */
export function useIdleEnd(onIdle: () => void): void {
  const end = useEffectEvent(onIdle)
  useEffect(() => {
    let idleMinutes = 0
    let inputAt = Date.now()
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (): void => {
      reportedAt = Date.now()
      localStorage.setItem(KEY, String(reportedAt))
      call(recordActivity, {}, { quiet: true }).then(
        (answer) => {
          idleMinutes = answer.idleMinutes
        },
        // The next input is reported again.
        () => undefined,
      )
    }
    const take = (): void => {
      inputAt = Date.now()
    }
    const check = (): void => {
      const now = Date.now()
      if (inputAt > reportedAt && now - reportedAt >= REPORT_MS) report()
      const lastAt = Math.max(inputAt, Number(localStorage.getItem(KEY) ?? 0))
      // Another tab reports its input up to a minute later.
      if (idleMinutes > 0 && now - lastAt >= idleMinutes * MINUTE_MS + REPORT_MS) end()
    }
    report()
    const timer = setInterval(check, CHECK_MS)
    for (const name of INPUTS) window.addEventListener(name, take, { passive: true, capture: true })
    return () => {
      clearInterval(timer)
      for (const name of INPUTS) window.removeEventListener(name, take, { capture: true })
    }
  }, [])
}
