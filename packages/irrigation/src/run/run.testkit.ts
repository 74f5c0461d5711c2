import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type PlanRequest, planRuns } from '../plan/plan-runs.ts'
import {
  DAY,
  type Faults,
  faults,
  NIGHT_HOUR,
  openedByHand,
  requests,
  requestsAtMidnight,
  restarts,
  shutValves,
  stuckValves,
} from './random-plans.testkit.ts'
import { isRunOver, mayFlow } from './run-machine.ts'
import { HAND_VALVE, MAX_S, runField } from './simulated-field.testkit.ts'

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

/** In a rotation the next valves open only after the last are confirmed closed, and after their soak. */
function checkOrder(
  runs: ReturnType<typeof runField>['runs'],
  uses: ReturnType<typeof runField>['uses'],
  { jumps }: Faults,
): void {
  for (const { steps } of runs.filter(({ together }) => !together)) {
    const own = uses.filter(({ stepId }) => steps.some(({ id }) => id === stepId))
    for (const [index, use] of own.entries()) {
      for (const before of own.slice(0, index)) {
        expect(use.startMs).toBeGreaterThanOrEqual(before.confirmedMs)
        const soakS = steps.find(({ id }) => id === use.stepId)?.soakS ?? 0
        // After a jump of the server's clock the true length of a soak is unknown.
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
    fc.property(requests, restarts, (request, given) => {
      const planned = planRuns(request).flatMap(({ steps }) =>
        steps.map(({ startMs, durationS }) => [startMs, durationS]),
      )
      const { runs, uses } = runField(request, given)
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

/** Where valves never open, every step begins when the preview says, and the others are watered as it says. */
export function checkShutValves(numRuns: number): void {
  fc.assert(
    fc.property(requests, shutValves, (request, given) => {
      const planned = planRuns(request).flatMap(({ steps }) => steps)
      const { runs, uses } = runField(request, given)
      expect(runs.flatMap(({ steps }) => steps.map((step) => step.firstOpenedMs))).toEqual(
        planned.map(({ startMs }) => startMs),
      )
      const watered = planned.filter(({ valveIds }) => !valveIds.some((id) => given.shutValves.has(id)))
      expect(uses.map(({ startMs, endMs }) => [startMs, (endMs - startMs) / 1000]).toSorted()).toEqual(
        watered.map(({ startMs, durationS }) => [startMs, durationS]).toSorted(),
      )
    }),
    { numRuns },
  )
}

/** Where valves are stuck open nothing begins before the preview, all stays within the capacity, and every run ends. */
export function checkStuckValves(numRuns: number): void {
  fc.assert(
    fc.property(requests, stuckValves, (request, given) => {
      const { runs, uses, second } = runField(request, given)
      expect(second).toBeLessThan(MAX_S)
      expect(runs.every(({ state }) => isRunOver(state))).toBe(true)
      expect(peak(uses)).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
      for (const { plannedMs, firstOpenedMs = plannedMs } of runs.flatMap(({ steps }) => steps))
        expect(firstOpenedMs).toBeGreaterThanOrEqual(plannedMs)
    }),
    { numRuns },
  )
}

/** Beside a valve that is open by hand the run is the preview, and both together stay within the capacity while it allows any run. */
export function checkByHand(numRuns: number): void {
  fc.assert(
    fc.property(requests, openedByHand, (request, given) => {
      const { flowM3H, untilS } = given.byHand
      const endMs = DAY + NIGHT_HOUR * HOUR_MS + untilS * 1000
      const hand = { valveIds: [HAND_VALVE], flowM3H, startMs: DAY, endMs }
      const beside = { ...request, busy: [hand] }
      const planned = planRuns(beside).flatMap(({ steps }) => steps.map(({ startMs }) => startMs))
      const { runs, uses } = runField(beside, given)
      expect(runs.flatMap(({ steps }) => steps.map((step) => step.firstOpenedMs))).toEqual(planned)
      const during = uses.filter(({ startMs }) => startMs < endMs)
      if (during.length > 0)
        expect(peak([...during, hand])).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
      // Planned without it, as stored runs are, nothing opens beyond the capacity either.
      const unaware = runField(request, given)
      const early = unaware.uses.filter(({ startMs }) => startMs < endMs)
      if (early.length > 0)
        expect(peak([...early, hand])).toBeLessThanOrEqual(request.source.capacityM3H + 1e-6)
    }),
    { numRuns },
  )
}

export function checkMaster(numRuns: number): void {
  fc.assert(
    fc.property(requests, restarts, fc.integer({ min: 0, max: 60 }), (request, given, lagS) => {
      const planned = planRuns(request).flatMap(({ steps }) => steps.map(({ startMs }) => startMs))
      const { runs, uses, masterUses } = runField(request, { ...given, master: { lagS, confirmS: 0 } })
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
      const { runs, uses, statedM3, second } = runField(request, given)
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
