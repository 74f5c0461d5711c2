import type { Gate } from '@isotherm/kernel/gate'
import { AppError } from '../../app-error.ts'
import { callerLeft, currentCaller } from '../current-caller.ts'
import { createFairGate } from '../fair-gate.ts'

export interface CallerGateLimits {
  /** Maximum number of concurrent tasks. */
  readonly running: number
  /** Maximum number of concurrent tasks of one caller; default: all of them. */
  readonly runningPerCaller?: number
  /** Maximum number of waiting tasks of one caller. */
  readonly waiting: number
}

/** Wait that is suggested to a refused caller, s: by then most of the waiting tasks have had their turn. */
const RETRY_AFTER_S = 10

/**
 * A gate for the work of calls, in which their callers take turns: one with many calls delays another by one task, and only its own
 * calls are refused, with request.too-many. A call that nobody waits for any more gives up its place.
 */
export function createCallerGate({ running, runningPerCaller, waiting }: CallerGateLimits): Gate {
  const gate = createFairGate({
    running,
    runningPerClient: runningPerCaller ?? running,
    waitingPerClient: waiting,
    refuse: () => new AppError('request.too-many', { retryAfterS: RETRY_AFTER_S }),
  })
  return (work) => gate(currentCaller(), work, callerLeft())
}
