import { createMediaHook } from './use-media.ts'

/** Whether the system asks for reduced motion. Loading indicators still turn. */
export const useIsMotionReduced = createMediaHook('(prefers-reduced-motion: reduce)')
