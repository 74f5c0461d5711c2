import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GroupSpec, LocalClock, ProgramSpec, SourceSpec } from '../plan/model.ts'
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
import { isRunOver, mayFlow, runTransitions, type StepEvent, stepTransitions } from './run-machine.ts'

const DAY = Date.UTC(2026, 5, 1)

/** A clock that is changed by an hour, or not at all, at a local time of the day (ms after midnight). */
const changedClock = (at: number, byMs: number): LocalClock => ({
  toLocal: (ms) => (ms < DAY + at ? ms : ms + byMs),
  toInstant: (localMs) => (localMs < DAY + at || localMs - byMs < DAY + at ? localMs : localMs - byMs),
})
/** Clocks that change within 40 minutes after an hour of the day. */
const clocksAt = (hour: number): fc.Arbitrary<LocalClock> =>
  fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(-HOUR_MS, 0, HOUR_MS))
    .map(([minutes, byMs]) => changedClock(hour * HOUR_MS + minutes * MINUTE_MS, byMs))

const valveCount = fc.integer({ min: 1, max: 4 })
const groupSpecs: fc.Arbitrary<readonly GroupSpec[]> = fc
  .array(
    fc.tuple(valveCount, fc.boolean(), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 30, max: 300 })),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((drafts) =>
    drafts.map(([count, isParallel, flowM3H, maxS], group) => ({
      id: group + 1,
      mode: isParallel ? 'parallel' : 'sequential',
      valves: Array.from({ length: count }, (_, valve) => ({ id: group * 10 + valve, flowM3H, maxS })),
    })),
  )
/** Programs that start within 30 minutes after an hour of the day. */
const programsAt = (hour: number): fc.Arbitrary<readonly ProgramSpec[]> =>
  fc
    .array(
      fc.record({
        minutes: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 2 }),
        runs: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 10, max: 200 })), {
          minLength: 1,
          maxLength: 5,
        }),
        cycle: fc.option(
          fc.record({ maxS: fc.integer({ min: 15, max: 90 }), soakS: fc.integer({ max: 90, min: 0 }) }),
          {
            nil: undefined,
          },
        ),
        seasonalPct: fc.integer({ min: 10, max: 200 }),
        together: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((drafts) =>
      drafts.map(({ minutes, runs, ...rest }, index) => ({
        ...rest,
        id: index + 1,
        days: { kind: 'every', n: 1, from: 0 },
        starts: minutes.map((minute) => ({ kind: 'time', minute: hour * 60 + minute })),
        entries: [...new Map(runs)].map(([groupId, runS]) => ({ groupId, runS })),
      })),
    )
const sources: fc.Arbitrary<SourceSpec> = fc.record({
  capacityM3H: fc.integer({ min: 3, max: 25 }),
  dailyBudgetM3: fc.option(fc.double({ min: 0, max: 4, noNaN: true }), { nil: undefined }),
  leadS: fc.integer({ min: 0, max: 30 }),
  groupDelayS: fc.integer({ min: 0, max: 30 }),
})
const requestsAt = (hour: number): fc.Arbitrary<PlanRequest> =>
  fc.record({
    source: sources,
    groups: groupSpecs,
    programs: programsAt(hour),
    clock: clocksAt(hour),
    conditions: fc.constant({ moisturePct: new Map() }),
    from: fc.constant(DAY),
    // The next local day can begin an hour earlier.
    until: fc.constant(DAY + DAY_MS - HOUR_MS),
  })
/** As in most zones the clock changes at night, within one local day. */
const NIGHT_HOUR = 2
const requests = requestsAt(NIGHT_HOUR)
/** In some zones the clock goes back over midnight: a part of the day before comes twice. */
const requestsAtMidnight = requestsAt(0)

const maxOf = ({ groups }: PlanRequest) =>
  new Map(groups.flatMap(({ valves }) => valves.map(({ id, maxS }) => [id, maxS] as const)))

/** The greatest flow at any instant of some intervals, m³/h. */
function peak(uses: readonly { startMs: number; endMs: number; flowM3H: number }[]): number {
  return Math.max(
    0,
    ...uses.map(({ startMs }) =>
      uses
        .filter((one) => one.startMs <= startMs && one.endMs > startMs)
        .reduce((sum, one) => sum + one.flowM3H, 0),
    ),
  )
}

it('never plans beyond the capacity, a valve beyond its longest time or twice at once, or water beyond the budget', () => {
  fc.assert(
    fc.property(fc.oneof(requests, requestsAtMidnight), (request) => {
      const steps = planRuns(request).flatMap((run) => run.steps)
      const uses = steps.map((step) => ({ ...step, endMs: step.startMs + step.durationS * 1000 }))
      expect(peak(uses)).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
      const longest = maxOf(request)
      for (const use of uses) {
        for (const id of use.valveIds) {
          expect(use.durationS).toBeLessThanOrEqual(longest.get(id) ?? 0)
          const twice = uses.filter(
            (one) =>
              one !== use && one.valveIds.includes(id) && one.startMs < use.endMs && one.endMs > use.startMs,
          )
          expect(twice).toEqual([])
        }
      }
      const usedM3 = new Map<number, number>()
      for (const { startMs, flowM3H, durationS } of steps) {
        const day = Math.floor(request.clock.toLocal(startMs) / DAY_MS)
        usedM3.set(day, (usedM3.get(day) ?? 0) + (flowM3H * durationS) / 3600)
      }
      for (const used of usedM3.values()) {
        expect(used).toBeLessThanOrEqual((request.source.dailyBudgetM3 ?? Infinity) + 1e-6)
      }
    }),
    { numRuns: 1_000 },
  )
})

/** Faults of a simulated field, from NIGHT_HOUR on: how late a close is confirmed, when the server sleeps, when a user acts. */
interface Faults {
  readonly closeDelayS: readonly number[]
  readonly outages: readonly { readonly fromS: number; readonly lengthS: number }[]
  readonly stopS: number | undefined
  readonly pauseS: number | undefined
  /** When a protection halts the source, for five minutes. */
  readonly haltS: number | undefined
  /** Whether the source has a master valve; its lag, and how late it is confirmed, s. */
  readonly master: { readonly lagS: number; readonly confirmS: number } | undefined
}
const faultless: Faults = {
  closeDelayS: [0],
  outages: [],
  stopS: undefined,
  pauseS: undefined,
  haltS: undefined,
  master: undefined,
}
const HALT_S = 300
const faults: fc.Arbitrary<Faults> = fc.record({
  closeDelayS: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
  outages: fc.array(
    fc.record({ fromS: fc.integer({ min: 0, max: 4_000 }), lengthS: fc.integer({ min: 1, max: 600 }) }),
    { maxLength: 3 },
  ),
  stopS: fc.option(fc.integer({ min: 0, max: 4_000 }), { nil: undefined }),
  pauseS: fc.option(fc.integer({ min: 0, max: 4_000 }), { nil: undefined }),
  haltS: fc.option(fc.integer({ min: 0, max: 4_000 }), { nil: undefined }),
  master: fc.option(
    fc.record({ lagS: fc.integer({ min: 0, max: 60 }), confirmS: fc.integer({ min: 0, max: 40 }) }),
    { nil: undefined },
  ),
})

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
interface LiveStep extends Mutable<ActiveStep> {
  /** When the device closes by itself, and when the server gets the confirmation. */
  shutMs: number
  confirmMs: number
  firstOpenedMs: number | undefined
}
/** A master valve with the times at which it was open: from the confirmation to the command to close. */
interface LiveMaster extends Mutable<Master> {
  confirmMs: number
  readonly uses: { startMs: number; endMs: number }[]
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

interface Steering {
  readonly now: number
  readonly leadS: number
  readonly lagS: number
  readonly confirmS: number
  readonly isHalted: boolean
}

type LiveRun = Omit<Mutable<ActiveRun>, 'steps'> & { steps: LiveStep[] }

/** Runs a plan second by second against valves that close by themselves after the time of their command. */
function run(request: PlanRequest, given: Faults) {
  const { source, clock } = request
  let id = 0
  const runs: LiveRun[] = planRuns(request)
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
        confirmMs: Infinity,
        firstOpenedMs: undefined,
      })),
    }))
  const apply = (step: LiveStep, event: StepEvent): void => {
    const next = stepTransitions[step.state][event]
    if (next === undefined) throw new Error(`${event} in ${step.state}`)
    step.state = next
  }
  const live = new Map(runs.flatMap((one) => one.steps.map((step) => [step.id, step] as const)))
  const uses: { startMs: number; endMs: number; flowM3H: number; valveIds: readonly number[] }[] = []
  let [usedM3, closes, second] = [0, 0, 0]
  const { haltS = Number.POSITIVE_INFINITY } = given
  const master: LiveMaster | undefined = given.master && {
    state: 'closed',
    openedMs: undefined,
    sentMs: undefined,
    freeMs: undefined,
    confirmMs: 0,
    uses: [],
  }
  for (; second < 20_000; second++) {
    const now = DAY + NIGHT_HOUR * HOUR_MS + second * 1000
    if (given.outages.some(({ fromS, lengthS }) => second >= fromS && second < fromS + lengthS)) continue
    const open = runs.filter(({ state }) => !isRunOver(state))
    if (open.length === 0) break
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
        if (step.state === 'closing' && now >= step.confirmMs) {
          step.closedMs = now
          apply(step, step.durationS > 0 ? 'again' : 'closed')
        }
      }
    }
    // Actions of one instant can make others possible: confirmations at once are part of the ideal field.
    for (let round = 0; round < 50; round++) {
      if (master && given.master)
        steerMaster(master, open, { now, leadS: source.leadS, ...given.master, isHalted })
      const actions = decide({ source, clock, runs: open, now, usedTodayM3: usedM3, master, isHalted })
      if (actions.length === 0) break
      for (const action of actions) {
        if (action.kind === 'end') {
          const ended = runs.find((one) => one.id === action.run.id)
          if (ended) ended.state = runTransitions[ended.state].ended ?? ended.state
          continue
        }
        const step = live.get(action.step.id)
        if (!step) continue
        if (action.kind === 'skip') apply(step, 'skip')
        if (action.kind === 'open') {
          expect(isHalted).toBe(false)
          if (master) expect(isMasterReady(master, source.leadS, now)).toBe(true)
          apply(step, 'open-sent')
          Object.assign(step, {
            openedMs: now,
            firstOpenedMs: step.firstOpenedMs ?? now,
            closeDueMs: now + action.durationS * 1000,
            shutMs: now + action.durationS * 1000,
            durationS: action.durationS,
          })
          uses.push({
            startMs: now,
            endMs: now + action.durationS * 1000,
            flowM3H: step.flowM3H,
            valveIds: step.valveIds,
          })
        }
        if (action.kind === 'close') {
          apply(step, 'close-sent')
          const use = uses.findLast(({ valveIds }) => valveIds === step.valveIds)
          const delayS = given.closeDelayS[closes++ % given.closeDelayS.length] ?? 0
          // The valve shuts when the command arrives, or has shut by itself.
          const shut = Math.min(step.shutMs, now + delayS * 1000)
          if (use) use.endMs = shut
          const wateredS = (shut - (step.openedMs ?? now)) / 1000
          usedM3 += (step.flowM3H * wateredS) / 3600
          const parent = runs.find(({ steps }) => steps.includes(step))
          step.durationS = parent?.state === 'paused' ? Math.max(0, step.durationS - wateredS) : 0
          step.confirmMs = now + delayS * 1000
          if (delayS === 0) {
            step.closedMs = now
            apply(step, step.durationS > 0 ? 'again' : 'closed')
          }
        }
      }
    }
  }
  return { runs, uses, usedM3, second, masterUses: master?.uses ?? [] }
}

it('runs what the preview shows, to the second, where every valve obeys at once', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const planned = planRuns(request).flatMap(({ steps }) =>
        steps.map(({ startMs, durationS }) => [startMs, durationS]),
      )
      const { runs, uses } = run(request, faultless)
      expect(runs.flatMap(({ steps }) => steps.map((step) => step.firstOpenedMs))).toEqual(
        planned.map(([startMs]) => startMs),
      )
      expect(uses.map(({ startMs, endMs }) => [startMs, (endMs - startMs) / 1000]).toSorted()).toEqual(
        planned.toSorted(),
      )
    }),
    { numRuns: 150 },
  )
})

it('runs what the preview shows behind a master valve that opens a lead before and closes a lag after', () => {
  fc.assert(
    fc.property(requests, fc.integer({ min: 0, max: 60 }), (request, lagS) => {
      const planned = planRuns(request).flatMap(({ steps }) => steps.map(({ startMs }) => startMs))
      const { runs, uses, masterUses } = run(request, { ...faultless, master: { lagS, confirmS: 0 } })
      expect(runs.flatMap(({ steps }) => steps.map((step) => step.firstOpenedMs))).toEqual(planned)
      for (const { startMs, endMs } of uses) {
        const behind = masterUses.some(
          (master) =>
            master.startMs + request.source.leadS * 1000 <= startMs && endMs + lagS * 1000 <= master.endMs,
        )
        expect(behind).toBe(true)
      }
    }),
    { numRuns: 150 },
  )
})

it('with late valves, outages of the server, pauses, halts and stops: never beyond capacity, longest time or budget, and it ends', () => {
  fc.assert(
    fc.property(requests, faults, (request, given) => {
      const { runs, uses, usedM3, second } = run(request, given)
      expect(second).toBeLessThan(20_000)
      expect(runs.every(({ state }) => isRunOver(state))).toBe(true)
      expect(runs.flatMap(({ steps }) => steps).some(({ state }) => mayFlow(state))).toBe(false)
      expect(peak(uses)).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
      const longest = maxOf(request)
      for (const { startMs, endMs, valveIds } of uses) {
        for (const id of valveIds) expect((endMs - startMs) / 1000).toBeLessThanOrEqual(longest.get(id) ?? 0)
      }
      expect(usedM3).toBeLessThanOrEqual((request.source.dailyBudgetM3 ?? Infinity) + 1e-6)
    }),
    { numRuns: 300 },
  )
})
