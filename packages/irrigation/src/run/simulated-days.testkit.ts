import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect } from 'vitest'
import { listStarts } from '../plan/list-starts.ts'
import { type PlanRequest, planRuns } from '../plan/plan-runs.ts'
import { type ActiveRun, type ActiveStep, decide, toLocalDay } from './decide.ts'
import type { Upsets } from './random-calendars.testkit.ts'
import { isRunOver, mayFlow, runTransitions, type StepEvent, stepTransitions } from './run-machine.ts'
import { toBusy, toUsedM3 } from './under-way.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type LiveStep = Mutable<ActiveStep> & {
  readonly plannedS: number
  /** Water of each opening, with its instant and its local day by the clock of the server. */
  openings: { readonly openedMs: number; readonly day: number; volumeM3: number }[]
  /** When the device opened and shut it, by a clock that nobody sets. */
  trulyOpenedMs: number | undefined
  trulyShutMs: number | undefined
}
export interface LiveRun extends Omit<Mutable<ActiveRun>, 'steps'> {
  readonly programId: number
  readonly dueMs: number
  readonly steps: LiveStep[]
}

/** An interrupted step with less is over, s. */
export const MIN_REST_S = 10

const store = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

/**
 * Runs the programs of some days as the server does: each run is planned once it is due, around what is under way, and is carried out
 * by the decision of each second. Everything obeys at once. While nothing runs, the seconds until the next start are skipped.
 */
export function runDays(
  request: PlanRequest,
  { phaseMs, restarts, jumps, pause }: Upsets,
): readonly LiveRun[] {
  const { source, clock, from, until } = request
  let runs: LiveRun[] = []
  /** The steps of all runs. */
  let allSteps: LiveStep[] = []
  let plannedMs = from
  let [id, works] = [0, 0]

  const apply = (step: LiveStep, event: StepEvent): void => {
    const next = stepTransitions[step.state][event]
    if (next === undefined) throw new Error(`${event} in ${step.state}`)
    step.state = next
  }
  /** Water of what was opened on the local day of an instant. */
  function readUsedM3(now: number): number {
    const today = toLocalDay(clock, now)
    let usedM3 = 0
    for (const { openings } of allSteps)
      for (const { day, volumeM3 } of openings) if (day === today) usedM3 += volumeM3
    return usedM3
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
      const runId = ++id
      const liveSteps = steps.map((step) => ({
        ...step,
        id: ++id,
        plannedMs: step.startMs,
        plannedS: step.durationS,
        state: 'pending' as const,
        openings: [],
        trulyOpenedMs: undefined,
        trulyShutMs: undefined,
      }))
      allSteps.push(...liveSteps)
      const state = steps.length === 0 ? 'done' : 'running'
      runs.push({ id: runId, programId, dueMs, together, state, steps: liveSteps })
    }
  }
  const find = (stepId: number): LiveRun | undefined =>
    runs.find(({ steps }) => steps.some((step) => step.id === stepId))
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
        const step = allSteps.find((one) => one.id === action.step.id)
        if (!step) continue
        if (action.kind === 'skip') apply(step, 'skip')
        if (action.kind === 'open') {
          apply(step, 'open-sent')
          apply(step, 'opened')
          step.openings.push({ openedMs: now, day: toLocalDay(clock, now), volumeM3: 0 })
          Object.assign(step, {
            openedMs: now,
            closeDueMs: now + action.durationS * 1000,
            trulyOpenedMs: step.trulyOpenedMs ?? trueMs,
          })
        }
        if (action.kind === 'close') {
          apply(step, 'close-sent')
          const leftS = step.durationS - (now - (step.openedMs ?? now)) / 1000
          const isInterrupted = find(step.id)?.state === 'paused' && now < (step.closeDueMs ?? 0) - 1_000
          const isAgain = isInterrupted && leftS >= MIN_REST_S
          apply(step, isAgain ? 'again' : 'closed')
          Object.assign(step, {
            closedMs: now,
            trulyShutMs: trueMs,
            ...(isAgain ? { durationS: leftS } : {}),
          })
        }
      }
    }
  }
  /** Pauses what runs when the user does, and resumes it after so long. */
  function pauseOrResume(sinceMs: number, lengthMs: number): void {
    for (const run of runs) {
      if (sinceMs >= lengthMs) run.state = runTransitions[run.state].resume ?? run.state
      else if (sinceMs >= 0 && sinceMs < 1_000) run.state = runTransitions[run.state].pause ?? run.state
    }
  }
  /** When the server has something to do next, by the clock that nobody sets; undefined: never. */
  function findNext(trueMs: number, setMs: number): number | undefined {
    const active = runs.filter(({ state }) => !isRunOver(state))
    const isWaiting = ({ state, steps }: LiveRun) =>
      state === 'paused' && !steps.some((step) => mayFlow(step.state))
    if (!active.every(isWaiting)) return trueMs + 1_000
    const endMs = pause && active.length > 0 ? from + pause.atMs + pause.lengthMs : 0
    const dues = request.programs.flatMap((program) =>
      listStarts(program, request, plannedMs, until).slice(0, 1),
    )
    const candidates = [
      ...dues.map((dueMs) => trueMs + 1_000 * Math.max(1, Math.floor((dueMs - setMs - trueMs) / 1_000) + 1)),
      ...jumps.flatMap(({ atMs }) =>
        from + atMs > trueMs ? [trueMs + 1_000 * Math.ceil((from + atMs - trueMs) / 1_000)] : [],
      ),
    ]
    if (endMs > trueMs) candidates.push(trueMs + 1_000 * Math.ceil((endMs - trueMs) / 1_000))
    return dues.length === 0 && active.length === 0 ? undefined : Math.min(...candidates)
  }

  const endMs = until + 2 * DAY_MS
  for (let trueMs: number | undefined = from + phaseMs; trueMs !== undefined && trueMs < endMs; ) {
    const at = trueMs
    const setMs = jumps.reduce((sum, { atMs, byMs }) => sum + (at >= from + atMs ? byMs : 0), 0)
    const now = at + setMs
    if (restarts.includes(works++)) {
      runs = store(runs)
      allSteps = runs.flatMap(({ steps }) => steps)
    }
    for (const step of allSteps) {
      if (!mayFlow(step.state)) continue
      const lastMs = Math.max(step.openedMs ?? now, Math.min(now, step.closeDueMs ?? now))
      const opening = step.openings.at(-1)
      if (opening) opening.volumeM3 = (step.flowM3H * (lastMs - opening.openedMs)) / HOUR_MS
    }
    if (pause) pauseOrResume(at - from - pause.atMs, pause.lengthMs)
    planDue(now)
    carryOut(now, at)
    trueMs = findNext(at, setMs)
  }
  expect(runs.every(({ state }) => isRunOver(state))).toBe(true)
  return runs
}
