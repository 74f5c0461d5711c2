import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { LocalClock, SourceSpec } from '../plan/model.ts'
import { MIN_STEP_S } from '../plan/plan-runs.ts'
import { isMasterReady, type Master } from './master.ts'
import { isRunOver, isStepOver, mayFlow, type RunState, type StepState } from './run-machine.ts'
import { isTurn, sameValves } from './turn.ts'

/** A step of a run as it is stored. Instants are Unix ms. */
export interface ActiveStep {
  readonly id: number
  readonly groupId: number
  readonly valveIds: readonly number[]
  readonly flowM3H: number
  readonly plannedMs: number
  /** Water time, or what is left of it, s. */
  readonly durationS: number
  readonly delayS: number
  readonly soakS: number
  readonly state: StepState
  /** When the commands to open were sent, and when the valves are to be closed. */
  readonly openedMs?: number | undefined
  readonly closeDueMs?: number | undefined
  /** When it was confirmed closed. */
  readonly closedMs?: number | undefined
}

/** A run under way; its steps are in their order. */
export interface ActiveRun {
  readonly id: number
  readonly state: RunState
  readonly together: boolean
  readonly steps: readonly ActiveStep[]
}

export type Action =
  | { readonly kind: 'open'; readonly step: ActiveStep; readonly durationS: number }
  | { readonly kind: 'close'; readonly step: ActiveStep }
  | { readonly kind: 'skip'; readonly step: ActiveStep; readonly why: 'stopped' | 'budget' | 'expired' }
  | { readonly kind: 'end'; readonly run: ActiveRun }

export interface Situation {
  readonly source: SourceSpec
  readonly clock: LocalClock
  /** All runs of the source that are not over, in the order of their start. */
  readonly runs: readonly ActiveRun[]
  readonly now: number
  /** Water that was taken today, with what flows now, m³. */
  readonly usedTodayM3: number
  /** Water of the day before, m³: steps that were opened on it are held to the budget of it. */
  readonly usedBeforeM3?: number | undefined
  /** Valves of the source that are open although no step opened them, with their flow, m³/h: it counts against the capacity. */
  readonly openByHand?: readonly { readonly valveId: number; readonly flowM3H: number }[] | undefined
  /** The master valve of the source, if it is a device. */
  readonly master?: Master | undefined
  /** A protection has stopped the source: everything closes, nothing opens until somebody has released it. */
  readonly isHalted?: boolean | undefined
}

/** Longest time that a paused run waits after the planned start of its last step, ms: until the evening of a run of the morning. */
export const MAX_PAUSE_MS = 12 * HOUR_MS

/** Whether a run has been paused for too long: the rest of its water is not for this day any more. */
export function isPauseOver(
  run: { readonly state: RunState; readonly steps: readonly Pick<ActiveStep, 'state' | 'plannedMs'>[] },
  now: number,
): boolean {
  const lastMs = Math.max(0, ...run.steps.map(({ plannedMs }) => plannedMs))
  return run.state === 'paused' && now >= lastMs + MAX_PAUSE_MS
}

/** Flows are sums of decimal numbers. */
const EPSILON = 1e-6

/** Water of today that open steps will still take, m³: that of a step that was opened yesterday counts for yesterday. */
const promised = (steps: readonly ActiveStep[], clock: LocalClock, now: number): number =>
  steps
    .filter(({ openedMs = now }) => toLocalDay(clock, openedMs) === toLocalDay(clock, now))
    .reduce(
      (sum, { flowM3H, closeDueMs = now }) => sum + (flowM3H * Math.max(0, closeDueMs - now)) / 3_600_000,
      0,
    )

/**
 * Decides what to do now. Depends only on stored data, so the decision is the same after a restart. A valve that is
 * not confirmed closed counts as open: the next group does not open before, and the flow never exceeds the capacity
 * of the source, together with what was opened by hand.
 */
export function decide(situation: Situation): readonly Action[] {
  const { source, clock, runs, now, usedTodayM3, master, openByHand = [], isHalted = false } = situation
  const actions: Action[] = []
  const flowing = runs.flatMap(({ steps }) => steps.filter(({ state }) => mayFlow(state)))
  const today = toLocalDay(clock, now)
  const isOverBudget = ({ openedMs = now }: ActiveStep): boolean => {
    const usedM3 = toLocalDay(clock, openedMs) < today ? (situation.usedBeforeM3 ?? 0) : usedTodayM3
    return source.dailyBudgetM3 !== undefined && usedM3 > source.dailyBudgetM3 + EPSILON
  }
  for (const run of runs) {
    const isOver = run.state === 'stopping' || isRunOver(run.state)
    const isExpired = isPauseOver(run, now)
    for (const step of run.steps) {
      const isOpen = step.state === 'opening' || step.state === 'open'
      // Opened in the future: the clock was set back, and nobody knows how long it has been open.
      const isDue = now >= (step.closeDueMs ?? Infinity) || now < (step.openedMs ?? 0)
      if (isOpen && (isDue || isOver || run.state === 'paused' || isOverBudget(step) || isHalted))
        actions.push({ kind: 'close', step })
      if (step.state === 'pending' && (isOver || isExpired))
        actions.push({ kind: 'skip', step, why: isOver ? 'stopped' : 'expired' })
    }
    if (!isRunOver(run.state) && run.steps.every(({ state }) => isStepOver(state)))
      actions.push({ kind: 'end', run })
  }
  if (isHalted || (master && !isMasterReady(master, source.leadS, now))) return actions
  for (const run of runs) {
    if (run.state !== 'running') continue
    for (const [index, step] of run.steps.entries()) {
      if (step.state !== 'pending' || !isTurn(run, index, now)) continue
      if (flowing.some((other) => sameValves(other, step))) continue
      const known = new Set([step, ...flowing].flatMap(({ valveIds }) => valveIds))
      const besides = [...flowing, ...openByHand.filter(({ valveId }) => !known.has(valveId))]
      const flow = besides.reduce((sum, { flowM3H }) => sum + flowM3H, 0)
      if (flow + step.flowM3H > source.capacityM3H + EPSILON) continue
      const durationS = toAffordable(source, step, usedTodayM3 + promised(flowing, clock, now))
      if (durationS < Math.min(MIN_STEP_S, step.durationS)) {
        actions.push({ kind: 'skip', step, why: 'budget' })
        continue
      }
      actions.push({ kind: 'open', step, durationS })
      flowing.push({ ...step, openedMs: now, closeDueMs: now + durationS * 1000 })
    }
  }
  return actions
}

function toAffordable(source: SourceSpec, { flowM3H, durationS }: ActiveStep, usedM3: number): number {
  if (source.dailyBudgetM3 === undefined || flowM3H <= 0) return durationS
  return Math.max(
    0,
    Math.min(durationS, Math.floor(((source.dailyBudgetM3 - usedM3) * 3600) / flowM3H + EPSILON)),
  )
}

/** What to do with a run that no server watched for some time, because all were down. */
export type OutageRule = 'resume' | 'skip' | 'finish'

/** The steps that are left out after an outage: those whose time has passed, or all that are left. */
export function listOutdated(run: ActiveRun, rule: OutageRule, now: number): readonly ActiveStep[] {
  if (rule === 'resume') return []
  return run.steps.filter(
    ({ state, plannedMs, durationS }) =>
      state === 'pending' && (rule === 'finish' || plannedMs + durationS * 1000 <= now),
  )
}

/** Local day of an instant, in days since 1970-01-01: water counts for the day on which its step begins. */
export const toLocalDay = (clock: LocalClock, ms: number): number => Math.floor(clock.toLocal(ms) / DAY_MS)
