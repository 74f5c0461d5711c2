import { useSyncExternalStore } from 'react'

/** Gives a hook that tells whether a media query matches, and renders anew as soon as that changes. */
export function createMediaHook(text: string): () => boolean {
  const query = matchMedia(text)
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}
