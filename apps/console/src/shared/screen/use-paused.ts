import { useEffect, useState } from 'react'

/** The typed text after a pause, for searches. An empty text counts at once. */
export function usePaused(text: string, pauseMs = 200): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return paused
}
