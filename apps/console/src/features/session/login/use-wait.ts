import { useState } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'
import { findWaitUntil, toSecondsLeft } from './slow-down.ts'

/** The pause that the server requires after failed attempts, s. Call `note` with the error of each attempt. */
export function useWait(): { readonly secondsLeft: number; readonly note: (error: Error) => void } {
  const [until, setUntil] = useState<number>()
  const now = useNow()
  return { secondsLeft: toSecondsLeft(until, now), note: (error) => setUntil(findWaitUntil(error, now)) }
}
