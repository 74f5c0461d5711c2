import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect } from 'vitest'
import { type PlanRequest, planRuns } from '../plan/plan-runs.ts'
import { type ActiveRun, type ActiveStep, decide } from './decide.ts'
import {
  decideMaster,
  findMasterNeed,
  isMasterReady,
  type Master,
  type MasterEvent,
  masterTransitions,
} from './master.ts'
import { DAY, type Faults, NIGHT_HOUR } from './random-plans.testkit.ts'
import { isRunOver, mayFlow, runTransitions, type StepEvent, stepTransitions } from './run-machine.ts'

const HALT_S = 300
const STUCK_MS = 600_000
/** The valve that a hand has opened: in no group. */
export const HAND_VALVE = 999
/** Every run is over by then. */
export const MAX_S = 30_000

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
interface LiveStep extends Mutable<ActiveStep> {
  /** When the device closes by itself, and when the server gets the confirmation: by a clock that nobody sets. */
  shutMs: number
  confirmMs: number
  /** When it was opened last, by that clock, and for the first time, by that of the server. */
  trulyOpenedMs: number
  firstOpenedMs: number | undefined
}
/** A master valve with the times at which it was open: from the confirmation to the command to close. */
interface LiveMaster extends Mutable<Master> {
  confirmMs: number
  readonly uses: { startMs: number; endMs: number }[]
}

/** An instant of the server, with the times and the state of its source. */
interface Steering {
  readonly now: number
  readonly leadS: number
  readonly lagS: number
  readonly confirmS: number
  readonly isHalted: boolean
}

/** Does with a master valve what is decided, as the server does. */
function steerMaster(master: LiveMaster, runs: readonly ActiveRun[], given: Steering): void {
  const { now, leadS, lagS, confirmS, isHalted } = given
  const apply = (event: MasterEvent): void => {
    const next = masterTransitions[master.state][event]
    if (next === undefined) throw new Error(`${event} in ${master.state}`)
    master.state = next
  }
  const confirm = (): void => {
    if (now < master.confirmMs) return
    if (master.state === 'opening') {
      apply('opened')
      master.uses.push({ startMs: now, endMs: Number.POSITIVE_INFINITY })
    } else if (master.state === 'closing') apply('closed')
  }
  confirm()
  const need = findMasterNeed(runs, leadS, now)
  master.freeMs = need !== 'none' ? undefined : (master.freeMs ?? now)
  const order = decideMaster(master, { lagS, need, isHalted, now })
  if (order === undefined) return
  if (order === 'open' && master.state !== 'open') master.openedMs = now
  if (order === 'open') master.sentMs = now
  if (order === 'close') {
    const use = master.uses.at(-1)
    if (use && master.state === 'open') use.endMs = now
  }
  const isRenewed = master.state === 'open' && order === 'open'
  apply(order === 'open' ? 'open-sent' : 'close-sent')
  if (isRenewed) return
  master.confirmMs = now + confirmS * 1000
  confirm()
}

/** What a restart leaves: what is stored. */
const store = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

type LiveRun = Omit<Mutable<ActiveRun>, 'steps'> & { steps: LiveStep[] }

/** Runs a plan second by second in a simulated field, against valves that close by themselves after the time of their command. */
export function runField(request: PlanRequest, given: Faults) {
  const { source, clock } = request
  let id = 0
  let runs: LiveRun[] = planRuns(request)
    .filter(({ steps }) => steps.length > 0)
    .map(({ programId, steps }) => ({
      id: ++id,
      state: 'running' as const,
      together: request.programs.find((program) => program.id === programId)?.together ?? false,
      steps: steps.map((step) => ({
        ...step,
        id: ++id,
        plannedMs: step.startMs,
        state: 'pending' as const,
        shutMs: 0,
        confirmMs: Number.MAX_SAFE_INTEGER,
        trulyOpenedMs: 0,
        firstOpenedMs: undefined,
      })),
    }))
  const apply = (step: LiveStep, event: StepEvent): void => {
    const next = stepTransitions[step.state][event]
    if (next === undefined) throw new Error(`${event} in ${step.state}`)
    step.state = next
  }
  const confirmClosed = (step: LiveStep, now: number, trueMs: number): void => {
    const use = uses.findLast(({ stepId }) => stepId === step.id)
    if (use) use.confirmedMs = trueMs
    step.closedMs = now
    apply(step, step.durationS > 0 ? 'again' : 'closed')
  }
  const find = (stepId: number): LiveStep | undefined =>
    runs.flatMap(({ steps }) => steps).find((step) => step.id === stepId)
  const uses: {
    startMs: number
    endMs: number
    flowM3H: number
    valveIds: readonly number[]
    stepId: number
    /** When the server knew that it was closed. */
    confirmedMs: number
  }[] = []
  let [usedM3, statedM3, closes, second] = [0, 0, 0, 0]
  const budgetM3 = (source.dailyBudgetM3 ?? Number.POSITIVE_INFINITY) + 1e-6
  const { haltS = Number.POSITIVE_INFINITY } = given
  const master: LiveMaster | undefined = given.master && {
    state: 'closed',
    openedMs: undefined,
    sentMs: undefined,
    freeMs: undefined,
    confirmMs: 0,
    uses: [],
  }
  for (; second < MAX_S; second++) {
    const trueMs = DAY + NIGHT_HOUR * HOUR_MS + second * 1000
    const setS = given.jumps.reduce((sum, { atS, byS }) => sum + (second >= atS ? byS : 0), 0)
    const now = trueMs + setS * 1000
    if (given.outages.some(({ fromS, lengthS }) => second > fromS && second <= fromS + lengthS)) continue
    // Actions until the server is killed in this second.
    let left = Math.min(
      ...given.outages.map(({ fromS, after }) => (fromS === second ? after : Infinity)),
      Infinity,
    )
    if (given.outages.some(({ fromS, lengthS }) => second === fromS + lengthS + 1)) runs = store(runs)
    const open = runs.filter(
      ({ state, steps }) => !isRunOver(state) || steps.some((step) => mayFlow(step.state)),
    )
    if (open.length === 0) break
    const { byHand } = given
    const isByHand = byHand !== undefined && second < byHand.untilS
    const openByHand = isByHand ? [{ valveId: HAND_VALVE, flowM3H: byHand.flowM3H }] : []
    const isHalted = second >= haltS && second < haltS + HALT_S
    const isPaused = second >= (given.pauseS ?? Infinity) && second < (given.pauseS ?? Infinity) + 300
    for (const one of open) {
      if (second >= (given.stopS ?? Infinity)) one.state = runTransitions[one.state].stop ?? one.state
      if (second === given.pauseS) one.state = runTransitions[one.state].pause ?? one.state
      if (isHalted) one.state = runTransitions[one.state].halt ?? one.state
      if (second >= (given.pauseS ?? Infinity) + 300 || (second >= haltS + HALT_S && !isPaused))
        one.state = runTransitions[one.state].resume ?? one.state
      for (const step of one.steps) {
        if (step.state === 'opening') apply(step, 'opened')
        if ((step.state === 'closing' || step.state === 'stuck') && trueMs >= step.confirmMs) {
          confirmClosed(step, now, trueMs)
        }
      }
    }
    // What flowed in this second is counted as the server counts it.
    for (const use of uses) {
      if (use.startMs >= trueMs || use.endMs < trueMs) continue
      usedM3 += (use.flowM3H * given.flowShare) / 3600
    }
    // Actions of one instant can make others possible: confirmations at once are part of the ideal field.
    for (let round = 0; round < 50 && left > 0; round++) {
      if (master && given.master)
        steerMaster(master, open, { now, leadS: source.leadS, ...given.master, isHalted })
      const actions = decide({
        source,
        clock,
        runs: open,
        now,
        usedTodayM3: usedM3,
        usedBeforeM3: usedM3,
        master,
        openByHand,
        isHalted,
      })
      if (actions.length === 0) break
      for (const action of actions) {
        if (left-- <= 0) break
        if (action.kind === 'end') {
          const ended = runs.find((one) => one.id === action.run.id)
          if (ended) ended.state = runTransitions[ended.state].ended ?? ended.state
          continue
        }
        const step = find(action.step.id)
        if (!step) continue
        if (action.kind === 'skip') apply(step, 'skip')
        if (action.kind === 'open') {
          expect(isHalted).toBe(false)
          if (master) expect(isMasterReady(master, source.leadS, now)).toBe(true)
          apply(step, 'open-sent')
          if (step.valveIds.some((id) => given.shutValves.has(id))) {
            apply(step, 'close-sent')
            Object.assign(step, { openedMs: now, firstOpenedMs: step.firstOpenedMs ?? now, durationS: 0 })
            confirmClosed(step, now, trueMs)
            continue
          }
          Object.assign(step, {
            openedMs: now,
            firstOpenedMs: step.firstOpenedMs ?? now,
            closeDueMs: now + action.durationS * 1000,
            trulyOpenedMs: trueMs,
            shutMs: trueMs + (given.openDelayS + action.durationS) * 1000,
            durationS: action.durationS,
          })
          const open = runs.flatMap(({ steps }) =>
            steps.filter(({ state }) => state === 'open' || state === 'opening'),
          )
          const promisedM3 = open.reduce(
            (sum, { flowM3H, closeDueMs = now }) => sum + (flowM3H * Math.max(0, closeDueMs - now)) / HOUR_MS,
            0,
          )
          expect(usedM3 + promisedM3).toBeLessThanOrEqual(budgetM3)
          uses.push({
            confirmedMs: Number.POSITIVE_INFINITY,
            startMs: trueMs + given.openDelayS * 1000,
            endMs: trueMs + (given.openDelayS + action.durationS) * 1000,
            flowM3H: step.flowM3H,
            valveIds: step.valveIds,
            stepId: step.id,
          })
        }
        if (action.kind === 'close') {
          apply(step, 'close-sent')
          const use = uses.findLast(({ stepId }) => stepId === step.id)
          const delayS = given.closeDelayS[closes++ % given.closeDelayS.length] ?? 0
          // The valve shuts when the command arrives, or has shut by itself.
          const shut = Math.min(step.shutMs, trueMs + delayS * 1000)
          if (use) use.endMs = Math.max(use.startMs, shut)
          const wateredS = (shut - step.trulyOpenedMs) / 1000
          statedM3 += use ? (step.flowM3H * (use.endMs - use.startMs)) / HOUR_MS : 0
          const parent = runs.find(({ steps }) => steps.includes(step))
          const isInterrupted =
            (parent?.state === 'paused' || parent?.state === 'running') &&
            now < (step.closeDueMs ?? 0) - 1_000
          step.durationS = isInterrupted ? Math.max(0, step.durationS - wateredS) : 0
          step.confirmMs = trueMs + delayS * 1000
          if (step.valveIds.some((id) => given.stuckValves.has(id))) {
            apply(step, 'not-closed')
            Object.assign(step, { confirmMs: trueMs + STUCK_MS, durationS: 0 })
            if (use) use.endMs = trueMs + STUCK_MS
            if (parent) parent.state = runTransitions[parent.state].stuck ?? parent.state
            continue
          }
          if (delayS === 0) confirmClosed(step, now, trueMs)
        }
      }
    }
    if (left <= 0) continue
    const openNow = runs.flatMap(({ steps }) =>
      steps.filter(({ state }) => state === 'open' || state === 'opening'),
    )
    if (usedM3 > budgetM3) expect(openNow).toEqual([])
    // The device has closed long ago, whatever clock the server had.
    for (const step of openNow)
      expect(trueMs - step.trulyOpenedMs).toBeLessThanOrEqual(3 * step.durationS * 1000)
  }
  return { runs, uses, statedM3, second, masterUses: master?.uses ?? [] }
}
