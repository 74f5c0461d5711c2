import { createMediaHook } from './use-media.ts'

/** Below this width the shell is in mobile mode (specification, section 2). */
const MOBILE_BELOW_PX = 992

export const useIsMobile = createMediaHook(`(max-width: ${MOBILE_BELOW_PX - 1}px)`)
