import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import { type ActiveRun, decide, type Situation } from './decide.ts'

const clock = { toLocal: (ms: number) => ms, toInstant: (ms: number) => ms }
const source = { capacityM3H: 12, leadS: 0, groupDelayS: 0 }
const toStep = (id: number, valveIds: readonly number[], plannedMs = 0) => ({
  id,
  groupId: id,
  valveIds,
  flowM3H: 6 * valveIds.length,
  plannedMs,
  durationS: 600,
  delayS: 0,
  soakS: 0,
  state: 'pending' as const,
})
const toSituation = (run: Partial<ActiveRun>, given: Partial<Situation> = {}): Situation => ({
  source,
  clock,
  runs: [{ id: 1, state: 'running', together: false, steps: [toStep(1, [1, 2])], ...run }],
  now: 0,
  usedTodayM3: 0,
  ...given,
})
const kinds = (situation: Situation) => decide(situation).map(({ kind }) => kind)

it('ends a run that is still paused 12 hours after the planned start of its last step', () => {
  const steps = [toStep(1, [1]), toStep(2, [2], HOUR_MS)]
  expect(kinds(toSituation({ state: 'paused', steps }, { now: 13 * HOUR_MS - 1 }))).toEqual([])
  expect(decide(toSituation({ state: 'paused', steps }, { now: 13 * HOUR_MS }))).toMatchObject([
    { kind: 'skip', why: 'expired' },
    { kind: 'skip', why: 'expired' },
  ])
  expect(kinds(toSituation({ state: 'running', steps }, { now: 13 * HOUR_MS }))).toEqual(['open'])
})

it('waits while valves that are open by hand leave no capacity, and counts no valve twice', () => {
  const openByHand = (...valveIds: readonly number[]) => ({
    openByHand: valveIds.map((valveId) => ({ valveId, flowM3H: 6 })),
  })
  expect(kinds(toSituation({}, openByHand(3, 4)))).toEqual([])
  expect(kinds(toSituation({}, openByHand(3)))).toEqual([])
  expect(kinds(toSituation({}, openByHand(1, 2)))).toEqual(['open'])
  expect(kinds(toSituation({ steps: [toStep(1, [1])] }, openByHand(3)))).toEqual(['open'])
  expect(kinds(toSituation({ steps: [toStep(1, [1])] }, openByHand(1, 3)))).toEqual(['open'])
})

it('holds a step to the budget of the day on which it was opened', () => {
  const openedMs = DAY_MS - 600_000
  const step = { ...toStep(1, [1]), state: 'open' as const, openedMs, closeDueMs: DAY_MS + 600_000 }
  const kindsAt = (now: number, usedTodayM3: number, usedBeforeM3?: number) => {
    const given = { source: { ...source, dailyBudgetM3: 2 }, now, usedTodayM3, usedBeforeM3 }
    return kinds(toSituation({ steps: [step] }, given))
  }
  expect(kindsAt(DAY_MS - 1, 2.1)).toEqual(['close'])
  expect(kindsAt(DAY_MS, 0, 2.1)).toEqual(['close'])
  expect(kindsAt(DAY_MS, 0, 1.9)).toEqual([])
  expect(kindsAt(DAY_MS, 2.1, 1.9)).toEqual([])
})
