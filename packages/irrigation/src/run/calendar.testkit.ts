import fc from 'fast-check'
import { expect } from 'vitest'
import { planRuns } from '../plan/plan-runs.ts'
import { toLocalDay } from './decide.ts'
import {
  calendars,
  EVENING,
  pausedPlans,
  pauses,
  restartsOnly,
  setClocks,
} from './random-calendars.testkit.ts'
import { MIN_REST_S, runDays } from './simulated-days.testkit.ts'

/** A start is noticed within a second; the water of a day that is used up cuts a step to a second. */
const TOLERANCE_S = 2

const toKey = ({ programId, dueMs }: { readonly programId: number; readonly dueMs: number }): string =>
  `${programId} ${dueMs}`
const compare = (one: { readonly dueMs: number; readonly programId: number }, other: typeof one): number =>
  one.dueMs - other.dueMs || one.programId - other.programId

/**
 * A field without faults runs each run of the preview that was made in the evening before: its valves, starts and seconds. With a budget, a
 * step of the last seconds of a day may open on the next one, so its water is no longer that of the planned day: such calendars are left out.
 */
export function checkCalendar(numRuns: number): void {
  fc.assert(
    fc.property(calendars, restartsOnly, (request, upsets) => {
      const preview = planRuns(request).toSorted(compare)
      const { source, clock } = request
      const isLastOfDay = ({ startMs }: { readonly startMs: number }): boolean =>
        toLocalDay(clock, startMs) !== toLocalDay(clock, startMs + TOLERANCE_S * 1000)
      fc.pre(source.dailyBudgetM3 === undefined || !preview.some(({ steps }) => steps.some(isLastOfDay)))
      const runs = [...runDays(request, upsets)].sort(compare)
      expect(runs.map(toKey)).toEqual(preview.map(toKey))
      for (const [index, { steps }] of preview.entries()) {
        const watered = (runs[index]?.steps ?? []).filter(({ trulyOpenedMs }) => trulyOpenedMs !== undefined)
        expect(watered.map(({ valveIds }) => valveIds)).toEqual(steps.map(({ valveIds }) => valveIds))
        for (const [at, { startMs, durationS }] of steps.entries()) {
          const { trulyOpenedMs = 0, trulyShutMs = 0 } = watered[at] ?? {}
          expect(Math.abs(trulyOpenedMs - startMs) / 1000).toBeLessThanOrEqual(TOLERANCE_S)
          expect(Math.abs((trulyShutMs - trulyOpenedMs) / 1000 - durationS)).toBeLessThanOrEqual(TOLERANCE_S)
        }
      }
    }),
    { numRuns, endOnFailure: true },
  )
}

/** However the clock of the server is set, each start of the preview becomes one run, and nothing else does. */
export function checkSetClocks(numRuns: number): void {
  fc.assert(
    fc.property(calendars, setClocks, (request, upsets) => {
      const preview = planRuns(request).map(toKey)
      expect(runDays(request, upsets).map(toKey).toSorted()).toEqual(preview.toSorted())
    }),
    { numRuns, endOnFailure: true },
  )
}

/**
 * Whatever is paused and resumed, no day takes more than its budget; and what is planned meanwhile leaves an interrupted step the rest of
 * its water: nothing that was planned is cut, as long as all of it stays on the day for which it was planned.
 */
export function checkPauses(numRuns: number): void {
  fc.assert(
    fc.property(pausedPlans, pauses, (request, { step, part, lengthMs, ...upsets }) => {
      const planned = planRuns(request).flatMap(({ steps }) => steps)
      const chosen = planned[Math.floor(step * planned.length)]
      fc.pre(chosen !== undefined)
      const { startMs, durationS } = chosen ?? { startMs: 0, durationS: 0 }
      const atMs = Math.round(startMs + part * durationS * 1000) - EVENING
      const runs = runDays(request, { ...upsets, jumps: [], pause: { atMs, lengthMs } })
      const { clock, source } = request
      const steps = runs.flatMap((run) => run.steps)
      const days = new Map<number, number>()
      const moved = new Set<number>()
      for (const { plannedMs, openings } of steps) {
        for (const { openedMs, volumeM3 } of openings) {
          const day = toLocalDay(clock, openedMs)
          days.set(day, (days.get(day) ?? 0) + volumeM3)
          if (day !== toLocalDay(clock, plannedMs)) moved.add(day).add(toLocalDay(clock, plannedMs))
        }
      }
      for (const volumeM3 of days.values())
        expect(volumeM3).toBeLessThanOrEqual((source.dailyBudgetM3 ?? Infinity) + 1e-6)
      // After a pause over midnight, what is left is for the next day.
      const from = toLocalDay(clock, EVENING + atMs)
      const to = toLocalDay(clock, EVENING + atMs + lengthMs)
      if (from !== to) moved.add(from).add(to)
      for (const { plannedMs, plannedS, flowM3H, openings } of steps) {
        if (moved.has(toLocalDay(clock, plannedMs))) continue
        const watered = openings.reduce((sum, { volumeM3 }) => sum + volumeM3, 0)
        expect((watered * 3600) / flowM3H).toBeGreaterThanOrEqual(plannedS - MIN_REST_S - TOLERANCE_S)
      }
    }),
    { numRuns, endOnFailure: true },
  )
}
