import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import { MAX_WORK, planRuns } from './plan-runs.ts'

/** Monday. */
const MONDAY = Date.UTC(2026, 5, 1)

it('ends a plan of too many parts, whatever its span, and says so', () => {
  const starts = Array.from({ length: 10 }, (_, index) => ({ kind: 'time', minute: index * 5 }) as const)
  const entries = Array.from({ length: 100 }, (_, index) => ({ groupId: (index % 3) + 1, runS: 64_800 }))
  const groups = [1, 2, 3].map((id) => ({
    id,
    mode: 'parallel' as const,
    valves: [0, 1].map((index) => ({ id: id * 10 + index, flowM3H: 5, maxS: 7_200 })),
  }))
  for (const together of [false, true]) {
    const endless = {
      id: 1,
      days: { kind: 'every', n: 1, from: 0 } as const,
      starts,
      entries,
      seasonalPct: 100,
      together,
      cycle: { maxS: 30, soakS: 0 },
    }
    const runs = planRuns({
      source: { capacityM3H: 12, leadS: 30, groupDelayS: 20 },
      groups,
      clock: { toLocal: (ms) => ms, toInstant: (ms) => ms },
      programs: [endless],
      conditions: { moisturePct: new Map() },
      from: MONDAY,
      until: MONDAY + 367 * DAY_MS,
    })
    // Each part is at least 50 of the work.
    const parts = runs.reduce((sum, { steps }) => sum + steps.length, 0)
    expect(parts).toBeGreaterThan(1_000)
    expect(parts).toBeLessThanOrEqual(MAX_WORK / 50)
    expect(runs).toHaveLength(3_670)
    expect(runs.at(-1)).toMatchObject({ steps: [], conflicts: [{ kind: 'parts' }] })
  }
})
