import { useState } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'
import { findWaitUntil, toSecondsLeft } from './slow-down.ts'

/** The pause that the server asks for after failed attempts. `note` takes each failure. */
export function useWait(): { readonly secondsLeft: number; readonly note: (error: Error) => void } {
  const [until, setUntil] = useState<number>()
  const now = useNow()
  return { secondsLeft: toSecondsLeft(until, now), note: (error) => setUntil(findWaitUntil(error, now)) }
}
