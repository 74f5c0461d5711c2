import { useSyncExternalStore } from 'react'

/** Below this width the shell is in mobile mode (specification, section 2). */
const MOBILE_BELOW_PX = 992

const query = matchMedia(`(max-width: ${MOBILE_BELOW_PX - 1}px)`)

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export const useIsMobile = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
