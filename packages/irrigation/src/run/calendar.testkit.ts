import fc from 'fast-check'
import { expect } from 'vitest'
import { planRuns } from '../plan/plan-runs.ts'
import { calendars, restartsOnly, setClocks } from './random-calendars.testkit.ts'
import { runDays } from './simulated-days.testkit.ts'

/** A start is noticed within a second; the water of a day that is used up cuts a step to a second. */
const TOLERANCE_S = 2

const toKey = ({ programId, dueMs }: { readonly programId: number; readonly dueMs: number }): string =>
  `${programId} ${dueMs}`
const compare = (one: { readonly dueMs: number; readonly programId: number }, other: typeof one): number =>
  one.dueMs - other.dueMs || one.programId - other.programId

/** A field without faults runs each run of the preview that was made in the evening before: its valves, starts and seconds. */
export function checkCalendar(numRuns: number): void {
  fc.assert(
    fc.property(calendars, restartsOnly, (request, upsets) => {
      const preview = planRuns(request).toSorted(compare)
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
