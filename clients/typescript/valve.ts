/** What a valve stores over a restart: position and target in %, and when it closes by itself, Unix ms; 0 for never. */
export interface ValveState {
  opening: number
  target?: number
  closesAt: number
}

const isWithin = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high

/** Whether the arguments of a command are right: opening in %, and seconds until the valve closes by itself. */
export const canMove = (
  args: { readonly opening?: unknown; readonly maxSec?: unknown } | undefined,
): boolean =>
  isWithin(args?.opening, 0, 100) && (args?.maxSec === undefined || isWithin(args.maxSec, 1, 86_400))

/** A simulated motor valve in place of the hardware. It completes a move and closes by itself also after a restart. */
export function createValve(state: ValveState, strokeMs: number, moved: () => void) {
  let motor: NodeJS.Timeout | undefined

  function start(target: number): void {
    clearTimeout(motor)
    state.target = target
    motor = setTimeout(() => {
      state.opening = target
      delete state.target
      moved()
    }, strokeMs)
  }

  if (state.target !== undefined) start(state.target)
  setInterval(() => {
    if (state.closesAt === 0 || Date.now() < state.closesAt) return
    state.closesAt = 0
    start(0)
  }, 200)
  return {
    /** Moves to an opening, %; closes by itself after `maxSec` seconds, or never if it is 0. */
    move(opening: number, maxSec: number): void {
      state.closesAt = maxSec > 0 ? Date.now() + maxSec * 1_000 : 0
      start(opening)
    },
  }
}
