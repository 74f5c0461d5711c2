import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect } from 'vitest'
import { listStarts } from '../plan/list-starts.ts'
import { type PlanRequest, planRuns } from '../plan/plan-runs.ts'
import { decide, toLocalDay } from './decide.ts'
import type { Upsets } from './random-calendars.testkit.ts'
import { isRunOver, mayFlow, runTransitions, type StepEvent, stepTransitions } from './run-machine.ts'
import { toBusy, toUsedM3, type WateredRun } from './under-way.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type LiveStep = Mutable<WateredRun['steps'][number]> & {
  /** When the device opened and shut it, by a clock that nobody sets. */
  trulyOpenedMs: number | undefined
  trulyShutMs: number | undefined
}
export interface LiveRun extends Omit<Mutable<WateredRun>, 'steps'> {
  readonly programId: number
  readonly dueMs: number
  readonly steps: LiveStep[]
}

const store = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

/**
 * Runs the programs of some days as the server does: each run is planned once it is due, around what is under way, and is carried out
 * by the decision of each second. Everything obeys at once. While nothing runs, the seconds until the next start are skipped.
 */
export function runDays(request: PlanRequest, { phaseMs, restarts, jumps }: Upsets): readonly LiveRun[] {
  const { source, clock, from, until } = request
  let runs: LiveRun[] = []
  let plannedMs = from
  let [id, works] = [0, 0]

  const apply = (step: LiveStep, event: StepEvent): void => {
    const next = stepTransitions[step.state][event]
    if (next === undefined) throw new Error(`${event} in ${step.state}`)
    step.state = next
  }
  /** Water of the steps that were opened on the local day of an instant. */
  function readUsedM3(now: number): number {
    const today = toLocalDay(clock, now)
    const steps = runs
      .flatMap((run) => run.steps)
      .filter(({ openedMs }) => openedMs !== undefined && toLocalDay(clock, openedMs) === today)
    return steps.reduce((sum, { volumeM3 }) => sum + volumeM3, 0)
  }
  function planDue(now: number): void {
    if (now <= plannedMs) return
    const active = runs.filter(({ state }) => !isRunOver(state))
    const planned = planRuns({
      ...request,
      busy: toBusy(active, now),
      usedM3: toUsedM3(active, readUsedM3(now), clock, now),
      from: plannedMs,
      until: Math.min(now, until),
    })
    plannedMs = now
    for (const { programId, dueMs, steps } of planned) {
      const together = request.programs.find((program) => program.id === programId)?.together ?? false
      runs.push({
        id: ++id,
        programId,
        dueMs,
        together,
        state: steps.length === 0 ? 'done' : 'running',
        steps: steps.map((step) => ({
          ...step,
          id: ++id,
          plannedMs: step.startMs,
          state: 'pending' as const,
          volumeM3: 0,
          trulyOpenedMs: undefined,
          trulyShutMs: undefined,
        })),
      })
    }
  }
  function carryOut(now: number, trueMs: number): void {
    for (let round = 0; round < 50; round++) {
      const active = runs.filter(({ state }) => !isRunOver(state))
      const actions = decide({ source, clock, runs: active, now, usedTodayM3: readUsedM3(now) })
      if (actions.length === 0) return
      for (const action of actions) {
        if (action.kind === 'end') {
          const ended = runs.find((run) => run.id === action.run.id)
          if (ended) ended.state = runTransitions[ended.state].ended ?? ended.state
          continue
        }
        const step = runs.flatMap(({ steps }) => steps).find((one) => one.id === action.step.id)
        if (!step) continue
        if (action.kind === 'skip') apply(step, 'skip')
        if (action.kind === 'open') {
          apply(step, 'open-sent')
          apply(step, 'opened')
          Object.assign(step, {
            openedMs: now,
            closeDueMs: now + action.durationS * 1000,
            trulyOpenedMs: step.trulyOpenedMs ?? trueMs,
          })
        }
        if (action.kind === 'close') {
          apply(step, 'close-sent')
          apply(step, 'closed')
          Object.assign(step, { closedMs: now, trulyShutMs: trueMs })
        }
      }
    }
  }
  /** When the server has something to do next, by the clock that nobody sets; undefined: never. */
  function findNext(trueMs: number, setMs: number): number | undefined {
    if (runs.some(({ state }) => !isRunOver(state))) return trueMs + 1_000
    const dues = request.programs.flatMap((program) =>
      listStarts(program, request, plannedMs, until).slice(0, 1),
    )
    const candidates = [
      ...dues.map((dueMs) => trueMs + 1_000 * Math.max(1, Math.floor((dueMs - setMs - trueMs) / 1_000) + 1)),
      ...jumps.flatMap(({ atMs }) =>
        from + atMs > trueMs ? [trueMs + 1_000 * Math.ceil((from + atMs - trueMs) / 1_000)] : [],
      ),
    ]
    return dues.length === 0 ? undefined : Math.min(...candidates)
  }

  const endMs = until + 2 * DAY_MS
  for (let trueMs: number | undefined = from + phaseMs; trueMs !== undefined && trueMs < endMs; ) {
    const at = trueMs
    const setMs = jumps.reduce((sum, { atMs, byMs }) => sum + (at >= from + atMs ? byMs : 0), 0)
    const now = at + setMs
    if (restarts.includes(works++)) runs = store(runs)
    for (const step of runs.flatMap(({ steps }) => steps)) {
      if (!mayFlow(step.state)) continue
      const lastMs = Math.max(step.openedMs ?? now, Math.min(now, step.closeDueMs ?? now))
      step.volumeM3 = (step.flowM3H * (lastMs - (step.openedMs ?? now))) / HOUR_MS
    }
    planDue(now)
    carryOut(now, at)
    trueMs = findNext(at, setMs)
  }
  expect(runs.every(({ state }) => isRunOver(state))).toBe(true)
  return runs
}
