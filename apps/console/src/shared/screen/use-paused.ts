import { useEffect, useState } from 'react'

/** What is typed, once nobody has typed for a while: what the server is asked by. An emptied field counts at once. */
export function usePaused(text: string, pauseMs = 200): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return paused
}
