import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import type { GroupSpec, LocalClock, ProgramSpec, SourceSpec } from '../plan/model.ts'
import type { PlanRequest } from '../plan/plan-runs.ts'

/** The local day of the plans. */
export const DAY = Date.UTC(2026, 5, 1)

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
export const groupSpecs: fc.Arbitrary<readonly GroupSpec[]> = fc
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
export const sources: fc.Arbitrary<SourceSpec> = fc.record({
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
export const NIGHT_HOUR = 2
export const requests = requestsAt(NIGHT_HOUR)
/** In some zones the clock goes back over midnight: a part of the day before comes twice. */
export const requestsAtMidnight = requestsAt(0)

/** Faults of a simulated field, from NIGHT_HOUR on: how late a close is confirmed, when the server sleeps, when a user acts. */
export interface Faults {
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
  /** Valves that do not open at all, and valves that are stuck open for ten minutes after the first command to close. */
  readonly shutValves: ReadonlySet<number>
  readonly stuckValves: ReadonlySet<number>
  /** A valve that a hand has opened before the plan begins, with its flow, m³/h, and the second in which it is closed. */
  readonly byHand: { readonly flowM3H: number; readonly untilS: number } | undefined
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
  shutValves: new Set(),
  stuckValves: new Set(),
  byHand: undefined,
  master: undefined,
}
export const faults: fc.Arbitrary<Faults> = fc.record({
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
  shutValves: fc.constant(faultless.shutValves),
  stuckValves: fc.constant(faultless.stuckValves),
  byHand: fc.constant(undefined),
  master: fc.option(
    fc.record({ lagS: fc.integer({ min: 0, max: 60 }), confirmS: fc.integer({ min: 0, max: 40 }) }),
    { nil: undefined },
  ),
})

/** A field in which everything obeys at once, and whose server restarts at some seconds: it knows afterwards only what is stored. */
export const restarts: fc.Arbitrary<Faults> = fc
  .array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 5 })
  .map((seconds) => ({
    ...faultless,
    outages: seconds.map((fromS) => ({ fromS, lengthS: 0, after: Number.POSITIVE_INFINITY })),
  }))

/** Some valves of the groups: each is one of the first two of a group. */
const valveSets: fc.Arbitrary<ReadonlySet<number>> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((places) => new Set(places.map(([group, valve]) => group * 10 + valve)))

/** A field that obeys at once, with valves that never open. */
export const shutValves: fc.Arbitrary<Faults> = valveSets.map((valves) => ({
  ...faultless,
  shutValves: valves,
}))

/** A field that obeys at once, with valves that are stuck open for some time. */
export const stuckValves: fc.Arbitrary<Faults> = valveSets.map((valves) => ({
  ...faultless,
  stuckValves: valves,
}))

/** A field that obeys at once, in which a hand has opened a valve. */
export const openedByHand = fc
  .record({ flowM3H: fc.integer({ min: 1, max: 25 }), untilS: fc.integer({ min: 1, max: 4_000 }) })
  .map((byHand) => ({ ...faultless, byHand }))
