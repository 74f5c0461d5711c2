import type { Gate, GateLimits } from '@isotherm/kernel/gate'
import { currentCaller } from '../current-caller.ts'
import { createFairGate } from '../fair-gate.ts'

/**
 * A gate for the work of calls, in which their callers take turns: one with many calls delays another by one task, and only its own
 * calls are refused. `waiting`: maximum number of waiting tasks of one caller.
 */
export function createCallerGate({ running, waiting, refuse }: Required<GateLimits>): Gate {
  const gate = createFairGate({ running, runningPerClient: running, waitingPerClient: waiting, refuse })
  return (work) => gate(currentCaller(), work)
}
