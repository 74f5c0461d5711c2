import { useSyncExternalStore } from 'react'

/** Creates a hook that returns whether a media query matches. The component renders again when that changes. */
export function createMediaHook(text: string): () => boolean {
  const query = matchMedia(text)
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}
