import { useEffect, useState } from 'react'

/** The typed text, delayed until the user pauses for `pauseMs`; for searches. An empty text is not delayed. */
export function usePaused(text: string, pauseMs = 200): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return paused
}
