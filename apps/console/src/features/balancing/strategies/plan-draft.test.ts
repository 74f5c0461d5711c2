import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { describe, expect, test } from 'vitest'
import { planBounds } from './plan-bounds.ts'
import {
  findPlan,
  type GroupDraft,
  listFaults,
  type PlanDraft,
  startPlanDraft,
  toPlanDraft,
  usualPreheat,
  usualSupply,
} from './plan-draft.ts'

const kinds: readonly BalanceKind[] = ['temperature', 'sequence', 'energy', 'flow']

/** A complete draft. */
const fill = (kind: BalanceKind, part: Partial<PlanDraft> = {}): PlanDraft => {
  const draft = startPlanDraft(kind, '一组')
  return { ...draft, groups: draft.groups.map((group) => ({ ...group, nodes: ['12'] })), ...part }
}
const fillGroup = (part: Partial<GroupDraft>): PlanDraft => {
  const draft = fill('sequence')
  return { ...draft, groups: draft.groups.map((group) => ({ ...group, ...part })) }
}

describe('the form of a strategy', () => {
  test.each(kinds)(
    'of %s starts with values that can be stored, except for the places of a group',
    (kind) => {
      expect(findPlan(fill(kind))?.kind).toBe(kind)
      expect(findPlan(startPlanDraft(kind, '一组')) === undefined).toBe(kind === 'sequence')
    },
  )

  const plans: readonly StrategyPlan[] = [
    { kind: 'temperature', target: 'room', startAboveK: 0.7, everyHours: 12, trims: 2 },
    {
      kind: 'temperature',
      target: 'return',
      method: 'proportional',
      startAboveK: 1,
      everyHours: 12,
      trims: 1,
    },
    {
      kind: 'temperature',
      target: 'return',
      slowTrim: true,
      startAboveK: 1,
      everyHours: 12,
      trims: 1,
    },
    { kind: 'temperature', target: 'return', startAboveK: 1, everyHours: 12, trims: 1 },
    {
      kind: 'energy',
      line: { cold: { outdoorC: -20, heatWM2: 50 }, mild: { outdoorC: 8, heatWM2: 18 } },
      startAboveShare: 0.07,
      everyHours: 24,
      trims: 0,
      hours: { fromMinute: 1_320, toMinute: 300 },
    },
    { kind: 'flow', flowKgHM2: 2.6, startAboveShare: 0.15, everyHours: 6, trims: 1 },
    {
      kind: 'sequence',
      frostC: 8,
      groups: [
        {
          name: '学校',
          nodes: ['12', '13'],
          base: { kind: 'room', roomC: 10 },
          slots: [{ day: 0, fromMinute: 360, toMinute: 1_080, level: { kind: 'room', roomC: 20 } }],
          shiftMinutes: 15,
          preheat: { wantedC: 20, boostedC: 24, maxHours: 8, timeConstantH: 60 },
        },
      ],
    },
  ]
  test.each(plans)('of an existing strategy converts back to its plan: $kind', (plan) => {
    expect(findPlan(toPlanDraft(plan))).toEqual(plan)
  })

  test('gives no plan while a required number is missing', () => {
    for (const kind of ['temperature', 'energy', 'flow'] as const) {
      expect(findPlan(fill(kind, { everyHours: null }))).toBeUndefined()
      expect(findPlan(fill(kind, { trims: null }))).toBeUndefined()
    }
    expect(findPlan(fill('temperature', { startAboveK: null }))).toBeUndefined()
    expect(findPlan(fill('energy', { startAbovePct: null }))).toBeUndefined()
    expect(findPlan(fill('flow', { flowKgHM2: null }))).not.toHaveProperty('flowKgHM2')
    expect(findPlan(fillGroup({ shiftMinutes: null }))).toBeUndefined()
    expect(findPlan(fillGroup({ preheat: { ...usualPreheat, wantedC: null } }))).toBeUndefined()
    expect(findPlan(fillGroup({ preheat: usualPreheat }))).toBeDefined()
  })

  test('requires a cold point that is colder than the mild one, and a boosted temperature above the target', () => {
    expect(findPlan(fill('energy', { cold: { outdoorC: 12, heatWM2: 40 } }))).toBeUndefined()
    expect(findPlan(fillGroup({ preheat: { ...usualPreheat, boostedC: 20 } }))).toBeUndefined()
  })

  test('treats a group without places or name as unfinished', () => {
    expect(findPlan(fillGroup({ nodes: [] }))).toBeUndefined()
    expect(findPlan(fillGroup({ name: '  ' }))).toBeUndefined()
  })
})

describe('faults of a form', () => {
  test('are listed by field, without duplicates', () => {
    expect(listFaults(fill('temperature'))).toEqual([])
    expect(listFaults(fill('temperature', { everyHours: null, trims: 9 }))).toEqual([
      { field: 'everyHours' },
      { field: 'trims' },
    ])
    const backwards = { outdoorC: 20, heatWM2: null }
    expect(listFaults(fill('energy', { cold: backwards }))).toEqual([{ field: 'line' }])
    expect(listFaults(fill('flow', { hours: { fromMinute: 300, toMinute: 300 } }))).toEqual([
      { field: 'hours' },
    ])
  })

  test('a strategy that leaves the pump alone is drafted unchanged', () => {
    for (const kind of ['temperature', 'energy', 'flow'] as const) {
      const plan = findPlan(fill(kind, { keepsPump: true }))
      expect(plan).toMatchObject({ kind, pump: 'keep' })
      expect(plan && findPlan(toPlanDraft(plan))).toEqual(plan)
    }
  })

  test('of the rules for the supply temperature count as one field; valid rules are part of the plan', () => {
    expect(listFaults(fill('energy', { supply: { ...usualSupply, comfortC: null, lowerK: 2 } }))).toEqual([
      { field: 'supply' },
    ])
    const plan = findPlan(fill('energy', { supply: { ...usualSupply, maxColdPct: 7 } }))
    expect(plan).toMatchObject({ supply: { maxColdShare: 0.07, minMeasuredShare: 0.5, comfortC: 20 } })
    expect(plan && findPlan(toPlanDraft(plan))).toEqual(plan)
    expect(plan).not.toHaveProperty('supply.minHeadShare')
    const withPump = findPlan(fill('energy', { supply: { ...usualSupply, minHeadPct: 60 } }))
    expect(withPump).toMatchObject({ supply: { minHeadShare: 0.6 } })
    expect(withPump && findPlan(toPlanDraft(withPump))).toEqual(withPump)
    expect(findPlan(fill('energy'))).not.toHaveProperty('supply')
  })

  test('name their group', () => {
    const [group] = fill('sequence').groups
    if (!group) throw new Error('a sequence begins with a group')
    const lukewarm = { ...usualPreheat, boostedC: 20 }
    const draft = fill('sequence', {
      groups: [group, { ...group, name: ' ', nodes: [], preheat: lukewarm }],
    })
    expect(listFaults(draft)).toEqual([
      { field: 'name', group: 1 },
      { field: 'nodes', group: 1 },
      { field: 'preheat', group: 1 },
    ])
  })
})

/** For each bounded number, a function that creates a draft with a value of it. */
const draftWith: Readonly<Record<keyof typeof planBounds, (value: number) => PlanDraft>> = {
  startAboveK: (startAboveK) => fill('temperature', { startAboveK }),
  startAbovePct: (startAbovePct) => fill('flow', { startAbovePct }),
  everyHours: (everyHours) => fill('flow', { everyHours }),
  trims: (trims) => fill('flow', { trims }),
  outdoorC: (outdoorC) =>
    fill('energy', {
      cold: { outdoorC: Math.min(outdoorC, -30), heatWM2: 40 },
      mild: { outdoorC: Math.max(outdoorC, -20), heatWM2: 20 },
    }),
  heatWM2: (heatWM2) => fill('energy', { cold: { outdoorC: -15, heatWM2 } }),
  comfortC: (comfortC) => fill('energy', { supply: { ...usualSupply, comfortC } }),
  coldMarginK: (coldMarginK) => fill('energy', { supply: { ...usualSupply, coldMarginK } }),
  maxColdPct: (maxColdPct) => fill('energy', { supply: { ...usualSupply, maxColdPct } }),
  lowerK: (lowerK) => fill('energy', { supply: { ...usualSupply, lowerK } }),
  minHeadPct: (minHeadPct) => fill('energy', { supply: { ...usualSupply, minHeadPct } }),
  minMeasuredPct: (minMeasuredPct) => fill('energy', { supply: { ...usualSupply, minMeasuredPct } }),
  flowKgHM2: (flowKgHM2) => fill('flow', { flowKgHM2 }),
  frostC: (frostC) => fill('sequence', { frostC }),
  sharePct: (pct) => fillGroup({ base: { kind: 'flow', share: pct / 100 } }),
  roomC: (roomC) => fillGroup({ base: { kind: 'room', roomC } }),
  shiftMinutes: (shiftMinutes) => fillGroup({ shiftMinutes }),
  wantedC: (wantedC) => fillGroup({ preheat: { ...usualPreheat, wantedC, boostedC: 40 } }),
  boostedC: (boostedC) => fillGroup({ preheat: { ...usualPreheat, wantedC: 5, boostedC } }),
  maxHours: (maxHours) => fillGroup({ preheat: { ...usualPreheat, maxHours } }),
  timeConstantH: (timeConstantH) => fillGroup({ preheat: { ...usualPreheat, timeConstantH } }),
}

test.each(Object.keys(planBounds) as (keyof typeof planBounds)[])(
  'the bounds of %s are those of the contract',
  (name) => {
    const { min, max } = planBounds[name]
    const put = draftWith[name]
    expect(findPlan(put(min))).toBeDefined()
    expect(findPlan(put(max))).toBeDefined()
    expect(findPlan(put(min - 1))).toBeUndefined()
    expect(findPlan(put(max + 1))).toBeUndefined()
  },
)
