import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect } from 'vitest'
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
  // Not fc.double: half of its numbers are next to nothing.
  dailyBudgetM3: fc.option(
    fc.integer({ min: 0, max: 2_000 }).map((litres) => litres / 1000),
    { nil: undefined },
  ),
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

/** Longest times of the valves, s. */
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

/** Faults of a simulated field, from NIGHT_HOUR on: how late a close is confirmed, when the server sleeps, when a user acts. */
interface Faults {
  readonly closeDelayS: readonly number[]
  /** How late a command to open arrives: the valve is open so much later than the server believes. */
  readonly openDelayS: number
  /** Measured flow, as a share of the stated one. */
  readonly flowShare: number
  /** The server is killed after so many actions of a second, and knows afterwards only what is stored. */
  readonly outages: readonly { readonly fromS: number; readonly lengthS: number; readonly after: number }[]
  /** The clock of the server is set on, or back. */
  readonly jumps: readonly { readonly atS: number; readonly byS: number }[]
  readonly stopS: number | undefined
  readonly pauseS: number | undefined
  /** When a protection halts the source, for five minutes. */
  readonly haltS: number | undefined
  /** Whether the source has a master valve; its lag, and how late it is confirmed, s. */
  readonly master: { readonly lagS: number; readonly confirmS: number } | undefined
}
/** A field in which everything obeys at once. */
const faultless: Faults = {
  closeDelayS: [0],
  openDelayS: 0,
  flowShare: 1,
  outages: [],
  jumps: [],
  stopS: undefined,
  pauseS: undefined,
  haltS: undefined,
  master: undefined,
}
const HALT_S = 300
/** Every run is over by then. */
const MAX_S = 30_000
const faults: fc.Arbitrary<Faults> = fc.record({
  openDelayS: fc.constantFrom(0, 0, 5, 20),
  flowShare: fc.constantFrom(1, 1, 1.3),
  closeDelayS: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
  outages: fc.array(
    fc.record({
      fromS: fc.integer({ min: 0, max: 4_000 }),
      lengthS: fc.integer({ min: 1, max: 600 }),
      after: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 3 },
  ),
  jumps: fc.array(
    fc.record({ atS: fc.integer({ min: 0, max: 4_000 }), byS: fc.integer({ min: -1_800, max: 1_800 }) }),
    { maxLength: 2 },
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

/** What a restart leaves: what is stored. */
const store = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

type LiveRun = Omit<Mutable<ActiveRun>, 'steps'> & { steps: LiveStep[] }

/** Runs a plan second by second against valves that close by themselves after the time of their command. */
function run(request: PlanRequest, given: Faults) {
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
        if (step.state === 'closing' && trueMs >= step.confirmMs) {
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
      const actions = decide({ source, clock, runs: open, now, usedTodayM3: usedM3, master, isHalted })
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

/** In a rotation the next valves open only after the last are confirmed closed, and after their soak. */
function checkOrder(
  runs: ReturnType<typeof run>['runs'],
  uses: ReturnType<typeof run>['uses'],
  { jumps }: Faults,
): void {
  for (const { steps } of runs.filter(({ together }) => !together)) {
    const own = uses.filter(({ stepId }) => steps.some(({ id }) => id === stepId))
    for (const [index, use] of own.entries()) {
      for (const before of own.slice(0, index)) {
        expect(use.startMs).toBeGreaterThanOrEqual(before.confirmedMs)
        const soakS = steps.find(({ id }) => id === use.stepId)?.soakS ?? 0
        // The set clock of the server says nothing of the true length of a soak.
        if (
          before.stepId === use.stepId ||
          jumps.length > 0 ||
          !before.valveIds.some((id) => use.valveIds.includes(id))
        )
          continue
        expect(use.startMs - before.endMs).toBeGreaterThanOrEqual(soakS * 1000)
      }
    }
  }
}

export function checkPlan(numRuns: number): void {
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
    { numRuns },
  )
}

export function checkPreview(numRuns: number): void {
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
    { numRuns },
  )
}

export function checkMaster(numRuns: number): void {
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
    { numRuns },
  )
}

export function checkFaults(numRuns: number): void {
  fc.assert(
    fc.property(requests, faults, (request, given) => {
      const { runs, uses, statedM3, second } = run(request, given)
      expect(second).toBeLessThan(MAX_S)
      expect(runs.every(({ state }) => isRunOver(state))).toBe(true)
      expect(runs.flatMap(({ steps }) => steps).some(({ state }) => mayFlow(state))).toBe(false)
      expect(peak(uses)).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
      const longest = maxOf(request)
      for (const { startMs, endMs, valveIds } of uses) {
        for (const id of valveIds) expect((endMs - startMs) / 1000).toBeLessThanOrEqual(longest.get(id) ?? 0)
      }
      for (const [index, use] of uses.entries()) {
        const twice = uses
          .slice(0, index)
          .some((one) => one.endMs > use.startMs && one.valveIds.some((id) => use.valveIds.includes(id)))
        expect(twice).toBe(false)
      }
      expect(statedM3).toBeLessThanOrEqual((request.source.dailyBudgetM3 ?? Infinity) + 1e-6)
      checkOrder(runs, uses, given)
    }),
    { numRuns },
  )
}
