import { createMediaHook } from './use-media.ts'

/** Whether the system setting requests reduced motion. Loading indicators still move. */
export const useIsMotionReduced = createMediaHook('(prefers-reduced-motion: reduce)')
