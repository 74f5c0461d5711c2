import type { ActiveRun, ActiveStep } from './decide.ts'
import { isStepOver } from './run-machine.ts'

/** Whether two steps have a valve in common. */
export const sameValves = (one: ActiveStep, other: ActiveStep): boolean =>
  one.valveIds.some((id) => other.valveIds.includes(id))

/** Whether the steps before it in the run have come far enough. */
export function isTurn(run: ActiveRun, index: number, now: number): boolean {
  const step = run.steps[index]
  if (!step || now < step.plannedMs) return false
  const before = run.steps.slice(0, index)
  const cycleBefore = before.findLast((one) => one.groupId === step.groupId && sameValves(one, step))
  if (cycleBefore && !isStepOver(cycleBefore.state)) return false
  if (cycleBefore && now < (cycleBefore.closedMs ?? 0) + step.soakS * 1000) return false
  if (run.together) return true
  if (!before.every(({ state }) => isStepOver(state))) return false
  const lastClosed = Math.max(0, ...before.map(({ closedMs = 0 }) => closedMs))
  return now >= lastClosed + step.delayS * 1000
}
