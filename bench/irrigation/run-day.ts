import type { PlannedRun } from '@isotherm/irrigation/plan/model'
import { type ActiveRun, type ActiveStep, decide } from '@isotherm/irrigation/run/decide'
import { isRunOver, type StepEvent, stepTransitions } from '@isotherm/irrigation/run/run-machine'
import { type BenchSource, clock } from './make-field.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type LiveStep = Mutable<ActiveStep>
type LiveRun = Omit<Mutable<ActiveRun>, 'steps'> & { readonly steps: LiveStep[] }

/** Result of a day of a source. */
export interface DayResult {
  readonly openings: number
  readonly usedM3: number
  /** Greatest flow at once, m³/h. */
  readonly peakM3H: number
}

function apply(step: LiveStep, event: StepEvent): void {
  const next = stepTransitions[step.state][event]
  if (next === undefined) throw new Error(`${event} in ${step.state}`)
  step.state = next
}

/** The next instant after `now` at which something can be due. */
function findNext(runs: readonly LiveRun[], now: number): number {
  let next = Number.POSITIVE_INFINITY
  const consider = (at: number): void => {
    if (at > now) next = Math.min(next, at)
  }
  for (const { steps } of runs) {
    let lastClosedMs = 0
    const closedOf = new Map<number, number>()
    for (const { state, groupId, plannedMs, closeDueMs = now, closedMs = 0, delayS, soakS } of steps) {
      if (state === 'open') consider(closeDueMs)
      if (state === 'pending') {
        consider(plannedMs)
        consider(lastClosedMs + delayS * 1000)
        consider((closedOf.get(groupId) ?? 0) + soakS * 1000)
      }
      lastClosedMs = Math.max(lastClosedMs, closedMs)
      closedOf.set(groupId, Math.max(closedOf.get(groupId) ?? 0, closedMs))
    }
  }
  return next
}

/** Runs the plan of a day event by event, with valves that execute commands at once. */
export function runDay({ source, programs }: BenchSource, planned: readonly PlannedRun[]): DayResult {
  let id = 0
  const runs = planned
    .filter(({ steps }) => steps.length > 0)
    .map(
      ({ programId, steps }): LiveRun => ({
        id: ++id,
        state: 'running',
        together: programs.find((program) => program.id === programId)?.together ?? false,
        steps: steps.map((step) => ({ ...step, id: ++id, plannedMs: step.startMs, state: 'pending' })),
      }),
    )
  const stepOf = new Map(runs.flatMap(({ steps }) => steps.map((step) => [step.id, step] as const)))
  let [openings, usedM3, flowM3H, peakM3H] = [0, 0, 0, 0]
  let now = Math.min(...runs.flatMap(({ steps }) => steps.map(({ plannedMs }) => plannedMs)))
  while (Number.isFinite(now)) {
    const open = runs.filter(({ state }) => !isRunOver(state))
    const actions = decide({ source, clock, runs: open, now, usedTodayM3: usedM3 })
    if (actions.length === 0) {
      now = findNext(open, now)
      continue
    }
    for (const action of actions) {
      if (action.kind === 'end') {
        const ended = runs.find((run) => run.id === action.run.id)
        if (ended) ended.state = 'done'
        continue
      }
      const step = stepOf.get(action.step.id)
      if (!step) continue
      if (action.kind === 'skip') apply(step, 'skip')
      if (action.kind === 'open') {
        apply(step, 'open-sent')
        apply(step, 'opened')
        step.openedMs = now
        step.closeDueMs = now + action.durationS * 1000
        openings++
        flowM3H += step.flowM3H
        peakM3H = Math.max(peakM3H, flowM3H)
      }
      if (action.kind === 'close') {
        apply(step, 'close-sent')
        apply(step, 'closed')
        step.closedMs = now
        flowM3H -= step.flowM3H
        usedM3 += (step.flowM3H * (now - (step.openedMs ?? now))) / 3_600_000
      }
    }
  }
  return { openings, usedM3, peakM3H }
}
