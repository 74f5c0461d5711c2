import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../platform/clock.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { createTestPlan, createTestPlanner, createTestReadings } from '../campaign-plan.testkit.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import { judgeRound, judgeWave } from './judge.ts'

const ENDED = 1_000
const plan: RoundPlan = {
  ...createTestPlan([{ serial: 'V1', deviceId: 7, openingPct: 50 }], [['open', { V1: 60 }]], {
    node: '1',
    plannedAt: 0,
  }),
  settleMs: 30 * HOUR_MS,
}
const step: StoredStep = {
  round: 1,
  step: 1,
  kind: 'open',
  moves: [{ deviceId: 7, fromPct: 50, toPct: 60 }],
  pump: null,
  state: 'given',
  batchId: 'b',
  moved: 1,
  answeredAt: ENDED,
  unanswered: 0,
}
const place = {
  companyId: 1,
  node: '1',
  nodeName: 'n',
  nodePath: '/1/',
  stationNodeId: 1,
  stationName: 's',
  stationPath: '/1/',
}
/** No valve has a reading. */
const needs = { planner: createTestPlanner({ ...createTestReadings(), flowM3H: undefined }, systemClock) }
const wave = { answeredAt: ENDED, given: 1, unanswered: 0, step }
const kindAt = async (judged: RoundPlan, afterMs: number) =>
  (await judgeWave(needs, { place, steps: [step], now: ENDED + afterMs }, { ...wave, plan: judged })).kind

test('a silent valve is not waited for longer because of floors', async () => {
  const late = { ...plan, lateMs: 2 * HOUR_MS }
  expect([await kindAt(late, 2 * HOUR_MS - 1), await kindAt(late, 2 * HOUR_MS)]).toEqual(['wait', 'abort'])
  // A plan stored by an earlier version has no `lateMs`.
  expect([await kindAt(plan, 2 * HOUR_MS), await kindAt(plan, 30 * HOUR_MS)]).toEqual(['wait', 'abort'])
  const judged = (now: number) =>
    judgeRound(needs, { place, steps: [step], now }, { plan: late, mode: { kind: 'flow' }, settledAt: ENDED })
  expect((await judged(ENDED + 2 * HOUR_MS - 1)).kind).toBe('wait')
  expect((await judged(ENDED + 2 * HOUR_MS)).kind).not.toBe('wait')
})

test('no reading is waited for longer than the round settles, even if valves report more rarely', async () => {
  const late = { ...plan, settleMs: HOUR_MS, lateMs: 2 * HOUR_MS }
  expect([await kindAt(late, HOUR_MS - 1), await kindAt(late, HOUR_MS)]).toEqual(['wait', 'abort'])
})
