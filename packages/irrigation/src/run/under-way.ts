import { DAY_MS } from '@isotherm/kernel/durations'
import type { Usage } from '../plan/capacity.ts'
import type { LocalClock } from '../plan/model.ts'
import type { ActiveRun, ActiveStep } from './decide.ts'
import { isStepOver, mayFlow } from './run-machine.ts'

/** A step that opened at most this late is on time, ms: the server works once a second. */
const ON_TIME_MS = 5_000

/**
 * What runs that are under way still take of their source. A plan of other runs goes around it. A step that is on time takes the time of
 * the plan, to the second: a second more would fill a gap into which the preview puts another run, and that run would move by minutes.
 */
export const toBusy = (runs: readonly ActiveRun[], now: number): readonly Usage[] =>
  runs
    .flatMap(({ steps }) => steps.filter(({ state }) => !isStepOver(state)))
    .map(({ valveIds, flowM3H, plannedMs, durationS, closeDueMs, openedMs = plannedMs }) => {
      const lateMs = openedMs - plannedMs
      const shiftMs = lateMs > 0 && lateMs <= ON_TIME_MS ? lateMs : 0
      const endMs = (closeDueMs ?? openedMs + durationS * 1000) - shiftMs
      return { valveIds, flowM3H, startMs: openedMs - shiftMs, endMs: Math.max(now - shiftMs, endMs) }
    })

/** Water that a step will still take, m³: of an open one until it is due to close, of an interrupted one what is left of its time. */
function toLeftM3({ state, flowM3H, durationS, closeDueMs }: ActiveStep, now: number): number {
  const dueS = mayFlow(state) && closeDueMs !== undefined ? (closeDueMs - now) / 1000 : durationS
  return (flowM3H * Math.min(durationS, Math.max(0, dueS))) / 3600
}

/**
 * Water by local day: what was used today, and what steps that are not over will still take. The water of a step that was opened counts
 * for the day on which it was, as in the plan. A step of a paused run takes it on the day for which it was planned, and on no later one.
 */
export function toUsedM3(
  runs: readonly ActiveRun[],
  usedTodayM3: number,
  clock: LocalClock,
  now: number,
): ReadonlyMap<number, number> {
  const toDay = (ms: number): number => Math.floor(clock.toLocal(ms) / DAY_MS)
  const today = toDay(now)
  const used = new Map([[today, usedTodayM3]])
  for (const { state: ofRun, steps } of runs) {
    for (const step of steps) {
      const { state, plannedMs, openedMs } = step
      if (isStepOver(state)) continue
      const waiting = ofRun === 'paused' ? toDay(plannedMs) : Math.max(today, toDay(plannedMs))
      const day = mayFlow(state) && openedMs !== undefined ? toDay(openedMs) : waiting
      used.set(day, (used.get(day) ?? 0) + toLeftM3(step, now))
    }
  }
  return used
}
