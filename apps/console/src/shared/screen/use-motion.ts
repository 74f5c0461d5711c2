import { createMediaHook } from './use-media.ts'

/** Whether the user's system asks for no movement that only pleases. What turns while something loads goes on. */
export const useIsMotionReduced = createMediaHook('(prefers-reduced-motion: reduce)')
