import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { describe, expect, it } from 'vitest'
import { toAdjustPct } from './adjust.ts'
import { listStarts, runsOn } from './list-starts.ts'
import type { GroupSpec, LocalClock, ProgramSpec } from './model.ts'
import { countDailyParts, type PlanRequest, planInSteps, planRuns, planSingleRun } from './plan-runs.ts'

const utc: LocalClock = { toLocal: (ms) => ms, toInstant: (ms) => ms }
/** Monday. */
const MONDAY = Date.UTC(2026, 5, 1)
const group = (id: number, mode: GroupSpec['mode'] = 'parallel', flows = [5, 5]): GroupSpec => ({
  id,
  mode,
  valves: flows.map((flowM3H, index) => ({ id: id * 10 + index, flowM3H, maxS: 7_200 })),
})
const program = (given: Partial<ProgramSpec> = {}): ProgramSpec => ({
  id: 1,
  days: { kind: 'weekdays', days: [0, 1, 2, 3, 4, 5, 6] },
  starts: [{ kind: 'time', minute: 360 }],
  entries: [
    { groupId: 1, runS: 600 },
    { groupId: 2, runS: 600 },
  ],
  seasonalPct: 100,
  together: false,
  ...given,
})
const plan = (given: Partial<PlanRequest> = {}) =>
  planRuns({
    source: { capacityM3H: 12, leadS: 30, groupDelayS: 20 },
    groups: [group(1), group(2), group(3, 'sequential')],
    clock: utc,
    programs: [program()],
    conditions: { moisturePct: new Map() },
    from: MONDAY,
    until: MONDAY + DAY_MS,
    ...given,
  })
/** Start in s after six o'clock, and duration. */
const timesOf = (runs: ReturnType<typeof plan>) =>
  runs.flatMap(({ steps }) =>
    steps.map(({ valveIds, startMs, durationS }) => [
      valveIds.join(' '),
      (startMs - MONDAY - 6 * HOUR_MS) / 1000,
      durationS,
    ]),
  )

describe('days and starts', () => {
  it('knows weekdays, each n-th day, odd and even days', () => {
    const day = MONDAY / DAY_MS
    const on = (days: ProgramSpec['days']) => [0, 1, 2, 3].map((later) => runsOn(days, day + later))
    expect(on({ kind: 'weekdays', days: [0, 3] })).toEqual([true, false, false, true])
    expect(on({ kind: 'every', n: 3, from: day - 3 })).toEqual([true, false, false, true])
    expect(on({ kind: 'odd' })).toEqual([true, false, true, false])
    expect(on({ kind: 'even' })).toEqual([false, true, false, true])
  })

  it('starts once on days with a changed clock', () => {
    // Clocks go from 2:00 to 3:00 on Monday, and back on Tuesday.
    const spring = MONDAY + 2 * HOUR_MS
    const autumn = MONDAY + DAY_MS + 2 * HOUR_MS
    const isSummer = (ms: number) => ms >= spring && ms < autumn
    const clock: LocalClock = {
      toLocal: (ms) => ms + (isSummer(ms) ? HOUR_MS : 0),
      toInstant: (local) => (local - HOUR_MS >= spring && local - HOUR_MS < autumn ? local - HOUR_MS : local),
    }
    const starts = [{ kind: 'time', minute: 150 } as const]
    const found = listStarts(program({ starts }), { clock }, MONDAY - DAY_MS, MONDAY + 4 * DAY_MS)
    expect(found).toHaveLength(5)
    expect(new Set(found.map((at) => Math.floor(clock.toLocal(at) / DAY_MS))).size).toBe(5)
  })

  it('starts before sunrise by position, and not at all without one', () => {
    const starts = [{ kind: 'sunrise', offsetMin: -30 } as const]
    const position = { latitude: 0, longitude: 0 }
    const [at = 0] = listStarts(program({ starts }), { clock: utc, position }, MONDAY, MONDAY + DAY_MS)
    expect(Math.abs(at - (MONDAY + 5.5 * HOUR_MS))).toBeLessThan(15 * MINUTE_MS)
    expect(listStarts(program({ starts }), { clock: utc }, MONDAY, MONDAY + DAY_MS)).toEqual([])
  })
})

describe('runs', () => {
  it('may be planned in steps, none with more than the starts of a program or one run', () => {
    const request: PlanRequest = {
      source: { capacityM3H: 12, leadS: 30, groupDelayS: 20 },
      groups: [group(1), group(2)],
      clock: utc,
      programs: [program(), program({ id: 2 })],
      conditions: { moisturePct: new Map() },
      from: MONDAY,
      until: MONDAY + 3 * DAY_MS,
    }
    const steps = planInSteps(request)
    let [count, next] = [0, steps.next()]
    for (; !next.done; next = steps.next()) count += 1
    expect(count).toBe(2 + 6)
    expect(next.value).toEqual(planRuns(request))
  })

  it('waters one group after the other, after the lead of the pump and with the pause between groups', () => {
    expect(timesOf(plan())).toEqual([
      ['10 11', 30, 600],
      ['20 21', 650, 600],
    ])
  })

  it('waters the valves of a sequential group one after the other, without a pause', () => {
    expect(timesOf(plan({ programs: [program({ entries: [{ groupId: 3, runS: 60 }] })] }))).toEqual([
      ['30', 30, 60],
      ['31', 90, 60],
    ])
  })

  it('splits a parallel group that takes more than the source delivers', () => {
    const groups = [group(1, 'parallel', [5, 5, 5])]
    const [run] = plan({ groups, programs: [program({ entries: [{ groupId: 1, runS: 60 }] })] })
    expect(run?.steps.map(({ valveIds }) => valveIds)).toEqual([[10, 11], [12]])
  })

  it('leaves out a valve that alone takes more, and says so', () => {
    const groups = [group(1, 'parallel', [5, 13])]
    const [run] = plan({ groups, programs: [program({ entries: [{ groupId: 1, runS: 60 }] })] })
    expect(run?.steps.map(({ valveIds }) => valveIds)).toEqual([[10]])
    expect(run?.conflicts).toEqual([{ kind: 'capacity', valveId: 11 }])
  })

  it('divides the water time into cycles, and waters others while one soaks', () => {
    const cycle = { maxS: 300, soakS: 400 }
    expect(timesOf(plan({ programs: [program({ cycle })] }))).toEqual([
      ['10 11', 30, 300],
      ['20 21', 350, 300],
      ['10 11', 730, 300],
      ['20 21', 1050, 300],
    ])
  })

  it('lets groups run together only as far as the capacity goes', () => {
    const groups = [group(1, 'parallel', [6]), group(2, 'parallel', [6]), group(3, 'parallel', [6])]
    const entries = [1, 2, 3].map((groupId) => ({ groupId, runS: 60 }))
    expect(timesOf(plan({ groups, programs: [program({ entries, together: true })] }))).toEqual([
      ['10', 30, 60],
      ['20', 30, 60],
      ['30', 90, 60],
    ])
  })

  it('queues a second program behind the first, and says by how much', () => {
    const second = program({ id: 2, starts: [{ kind: 'time', minute: 365 }] })
    const runs = plan({ programs: [program(), second] })
    expect(runs[1]?.steps[0]?.startMs).toBe(runs[0]?.endMs ?? 0)
    expect(runs[1]?.conflicts).toEqual([{ kind: 'queued', delayS: 920 }])
  })

  it('checks for overlaps again after a seasonal adjustment', () => {
    const starts = [360, 385].map((minute) => ({ kind: 'time', minute }) as const)
    expect(plan({ programs: [program({ starts })] }).flatMap(({ conflicts }) => conflicts)).toEqual([])
    const [, later] = plan({ programs: [program({ starts, seasonalPct: 150 })] })
    expect(later?.conflicts).toEqual([{ kind: 'queued', delayS: 320 }])
  })

  it('shortens the step that would exceed the water of the day, and leaves out the rest', () => {
    const source = { capacityM3H: 12, leadS: 0, groupDelayS: 0, dailyBudgetM3: 2 }
    const [run] = plan({ source })
    expect(run?.steps.map(({ durationS }) => durationS)).toEqual([600, 120])
    expect(run?.volumeM3).toBeCloseTo(2, 9)
    expect(run?.conflicts).toMatchObject([{ kind: 'budget', groupId: 2 }])
  })

  it('leaves out wet groups, and all runs during a rain delay', () => {
    const groups = [{ ...group(1), wetPct: 28 }, group(2)]
    const conditions = { moisturePct: new Map([[1, 30]]) }
    const [run] = plan({ groups, conditions })
    expect(run?.steps.map(({ groupId }) => groupId)).toEqual([2])
    expect(run?.conflicts).toEqual([{ kind: 'moist', groupId: 1 }])
    const [paused] = plan({ conditions: { ...conditions, pausedUntil: MONDAY + DAY_MS } })
    expect(paused).toMatchObject({ steps: [], conflicts: [{ kind: 'paused' }] })
  })

  it('leaves out what is beyond the parts of one run', () => {
    const seconds = { ...program(), cycle: { maxS: 30, soakS: 0 }, entries: [{ groupId: 1, runS: 64_800 }] }
    const [run] = plan({ programs: [seconds] })
    expect(run?.steps).toHaveLength(2_000)
    expect(run?.conflicts).toEqual([{ kind: 'parts' }])
  })

  it('has room for a season of 200 groups at one source', () => {
    const groups = Array.from({ length: 200 }, (_, index) => group(index + 1))
    const half = (id: number) =>
      program({
        id,
        starts: [{ kind: 'time', minute: 720 * id }],
        entries: groups.slice(100 * id, 100 * id + 100).map(({ id: groupId }) => ({ groupId, runS: 400 })),
      })
    const runs = plan({ groups, programs: [half(0), half(1)], until: MONDAY + 183 * DAY_MS })
    expect(runs.reduce((sum, { steps }) => sum + steps.length, 0)).toBe(200 * 183)
  })

  it('does not stumble over what nobody should set: no groups, no valves, a group that is gone, a source without water', () => {
    expect(plan({ groups: [] })).toMatchObject([{ steps: [], startMs: MONDAY + 6 * HOUR_MS }])
    expect(plan({ programs: [program({ entries: [] })] })).toMatchObject([{ steps: [], volumeM3: 0 }])
    expect(plan({ groups: [group(1, 'parallel', []), group(2)] })[0]?.steps).toHaveLength(1)
    const dry = { capacityM3H: 0, leadS: 0, groupDelayS: 0 }
    const [run] = plan({ source: dry })
    expect(run).toMatchObject({ steps: [], conflicts: [10, 11, 20, 21].map((valveId) => ({ valveId })) })
    expect(plan({ source: { ...dry, capacityM3H: 12, dailyBudgetM3: 0 } })[0]?.steps).toEqual([])
  })

  it('waters longer than a day in parts, and the same program of the next day waits for it', () => {
    const long = program({ entries: [{ groupId: 1, runS: 100_000 }] })
    const runs = plan({ programs: [long], until: MONDAY + 2 * DAY_MS })
    const [first, second] = runs
    expect(first?.steps.reduce((sum, { durationS }) => sum + durationS, 0)).toBe(100_000)
    expect(Math.max(...(first?.steps ?? []).map(({ durationS }) => durationS))).toBeLessThanOrEqual(7_200)
    expect(second?.startMs).toBe(first?.endMs)
    expect(second?.conflicts).toMatchObject([{ kind: 'queued' }])
  })

  it('counts what a program opens on a day', () => {
    expect(countDailyParts(program())).toBe(2)
    const starts = [360, 720].map((minute) => ({ kind: 'time', minute }) as const)
    expect(countDailyParts(program({ starts, cycle: { maxS: 90, soakS: 0 } }))).toBe(28)
  })

  it('plans only the first runs if no more are wanted', () => {
    const until = MONDAY + 9 * DAY_MS
    expect(plan({ until, maxRuns: 4 })).toEqual(plan({ until }).slice(0, 4))
  })

  it('plans a single run at any instant', () => {
    const { source, groups } = { source: { capacityM3H: 12, leadS: 0, groupDelayS: 0 }, groups: [group(1)] }
    const request = { source, groups, clock: utc, conditions: { moisturePct: new Map() } }
    const run = planSingleRun(request, program({ entries: [{ groupId: 1, runS: 90 }] }), MONDAY + 5)
    expect(run).toMatchObject({ startMs: MONDAY + 5, endMs: MONDAY + 90_005, volumeM3: 0.25 })
  })
})

describe('adjustment', () => {
  const design = { seasonalPct: 100, designEtMm: 5 }
  it('follows reference evapotranspiration less the rain', () => {
    expect(toAdjustPct(design, { etMm: 12, rainMm: 3, days: 3 })).toBe(60)
    expect(toAdjustPct(design, undefined)).toBe(100)
    expect(toAdjustPct({ seasonalPct: 80 }, { etMm: 12, rainMm: 3, days: 3 })).toBe(80)
  })
  it('is 0 after much rain and at most 200 %', () => {
    expect(toAdjustPct(design, { etMm: 5, rainMm: 20, days: 1 })).toBe(0)
    expect(toAdjustPct({ ...design, seasonalPct: 200 }, { etMm: 9, rainMm: 0, days: 1 })).toBe(200)
  })
  it('leaves out runs after rain', () => {
    const conditions = { moisturePct: new Map(), demand: { etMm: 4, rainMm: 10, days: 1 } }
    expect(plan({ programs: [program({ designEtMm: 5 })], conditions })).toMatchObject([
      { steps: [], conflicts: [{ kind: 'rain' }] },
    ])
  })
})
