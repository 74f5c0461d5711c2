import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import type { DaysSpec, LocalClock, ProgramSpec, StartSpec } from '../plan/model.ts'
import { type PlanRequest, planRuns } from '../plan/plan-runs.ts'
import { DAY, groupSpecs, sources } from './random-plans.testkit.ts'

/** Local days of a calendar. */
export const CALENDAR_DAYS = 4
/** The preview is made in the evening before the first day. */
export const EVENING = DAY - 4 * HOUR_MS
const FIRST = DAY / DAY_MS

/** The offset of local time, ms: before and after a change of the clock at an instant. */
const changedAt = (atMs: number, before: number, after: number): LocalClock => {
  const toLocal = (ms: number) => ms + (ms < atMs ? before : after)
  return {
    toLocal,
    toInstant: (localMs) => (localMs - before < atMs ? localMs - before : Math.max(atMs, localMs - after)),
  }
}
/** Zones that change their clock by an hour, or not at all, somewhere in these days: also over midnight. */
const clocks: fc.Arbitrary<LocalClock> = fc
  .tuple(
    fc.integer({ min: 0, max: CALENDAR_DAYS * 48 }),
    fc.constantFrom(-HOUR_MS, 0, HOUR_MS),
    fc.constantFrom(0, 8 * HOUR_MS, -5 * HOUR_MS),
  )
  .map(([halfHours, byMs, offsetMs]) =>
    changedAt(DAY - offsetMs + halfHours * 30 * MINUTE_MS, offsetMs, offsetMs + byMs),
  )

const days: fc.Arbitrary<DaysSpec> = fc.oneof(
  fc
    .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 })
    .map((chosen) => ({ kind: 'weekdays' as const, days: chosen })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: FIRST - 5, max: FIRST + 5 }))
    .map(([n, from]) => ({ kind: 'every' as const, n, from })),
  fc.constantFrom({ kind: 'odd' as const }, { kind: 'even' as const }),
)
/** Most starts are close to each other, so that runs meet: at night, around noon and around midnight. */
const starts: fc.Arbitrary<StartSpec> = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, 120, 720, 1_410), fc.integer({ min: 0, max: 29 }))
    .map(([hour, minute]) => ({ kind: 'time' as const, minute: hour + minute })),
  fc.record({
    kind: fc.constantFrom('sunrise' as const, 'sunset' as const),
    offsetMin: fc.integer({ min: -40, max: 40 }),
  }),
)
const programs: fc.Arbitrary<readonly ProgramSpec[]> = fc
  .array(
    fc.record({
      days,
      starts: fc.array(starts, { minLength: 1, maxLength: 4 }),
      entries: fc.uniqueArray(
        fc.record({
          groupId: fc.integer({ min: 1, max: 5 }),
          runS: fc.integer({ min: 20, max: 400 }),
        }),
        { minLength: 1, maxLength: 5, selector: ({ groupId }) => groupId },
      ),
      cycle: fc.option(
        fc.record({ maxS: fc.integer({ min: 30, max: 120 }), soakS: fc.integer({ min: 0, max: 200 }) }),
        { nil: undefined },
      ),
      seasonalPct: fc.integer({ min: 10, max: 200 }),
      designEtMm: fc.option(fc.integer({ min: 2, max: 8 }), { nil: undefined }),
      together: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((drafts) => drafts.map((draft, index) => ({ ...draft, id: index + 1 })))

/** Plans of some days: programs of all kinds of days and starts that meet each other, with the weather of a day. */
export const calendars: fc.Arbitrary<PlanRequest> = fc.record({
  source: sources,
  groups: groupSpecs,
  programs,
  clock: clocks,
  position: fc.constant({ latitude: 35, longitude: 0 }),
  conditions: fc.record({
    demand: fc.option(
      fc.record({
        etMm: fc.integer({ min: 0, max: 24 }),
        rainMm: fc.integer({ min: 0, max: 12 }),
        days: fc.constant(3),
      }),
      { nil: undefined },
    ),
    moisturePct: fc.constant(new Map()),
    pausedUntil: fc.option(
      fc.integer({ min: 0, max: CALENDAR_DAYS * 24 }).map((hours) => DAY + hours * HOUR_MS),
      { nil: undefined },
    ),
  }),
  from: fc.constant(EVENING),
  until: fc.constant(DAY + CALENDAR_DAYS * DAY_MS),
})

/** What happens to the server in these days, at instants of a clock that nobody sets, ms after the evening. */
export interface Upsets {
  /** Part of a second at which the server works, ms. */
  readonly phaseMs: number
  /** It restarts, and knows afterwards only what is stored: at the n-th work from there on. */
  readonly restarts: readonly number[]
  /** Its clock is set on, or back, by less than the time after which a start is skipped. */
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[]
  /** A user pauses what runs, and resumes it: by the same clock. */
  readonly pause?: { readonly atMs: number; readonly lengthMs: number }
}
const instants = fc.integer({ min: 0, max: CALENDAR_DAYS * DAY_MS })
const phaseMs = fc.integer({ min: 1, max: 999 })
export const restartsOnly: fc.Arbitrary<Upsets> = fc.record({
  phaseMs,
  restarts: fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 6 }),
  jumps: fc.constant([]),
})
export const setClocks: fc.Arbitrary<Upsets> = fc.record({
  phaseMs,
  restarts: fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 3 }),
  jumps: fc.array(
    fc.record({ atMs: instants, byMs: fc.integer({ min: -20 * MINUTE_MS, max: 20 * MINUTE_MS }) }),
    { minLength: 1, maxLength: 3 },
  ),
})

/** Programs that start within half an hour, in a night or before midnight, of a source whose budget is a share of their water. */
export const pausedPlans = fc
  .record({
    request: calendars,
    hour: fc.constantFrom(120, 1_410),
    minutes: fc.array(fc.integer({ min: 0, max: 29 }), { minLength: 8, maxLength: 8 }),
    budgetShare: fc.double({ min: 0.3, max: 1.2, noNaN: true }),
  })
  .map(({ request, hour, minutes, budgetShare }) => {
    const { dailyBudgetM3: _, ...source } = request.source
    const plan: PlanRequest = {
      ...request,
      source,
      programs: request.programs.map((program) => ({
        ...program,
        days: { kind: 'every', n: 1, from: 0 },
        starts: [{ kind: 'time', minute: hour + (minutes[program.id] ?? 0) }],
      })),
      conditions: { moisturePct: new Map() },
      until: DAY + DAY_MS,
    }
    const wantedM3 = planRuns(plan).reduce((sum, { volumeM3 }) => sum + volumeM3, 0)
    return { ...plan, source: { ...source, dailyBudgetM3: wantedM3 * budgetShare } }
  })
/** A pause somewhere in the steps of a preview: of minutes, or of a night. `step` and `part` are shares. */
export const pauses = fc.record({
  phaseMs,
  restarts: fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 2 }),
  step: fc.double({ min: 0, max: 0.999, noNaN: true }),
  part: fc.double({ min: 0, max: 0.999, noNaN: true }),
  lengthMs: fc.oneof(
    fc.integer({ min: MINUTE_MS, max: 40 * MINUTE_MS }),
    fc.integer({ min: HOUR_MS, max: 11 * HOUR_MS }),
  ),
})
