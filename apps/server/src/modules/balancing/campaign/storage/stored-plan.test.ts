import { expect, test } from 'vitest'
import { createTestPlan } from '../campaign-plan.testkit.ts'
import { PLAN_FORMAT, parsePlan, parseVerification, toPlanJson, toVerificationJson } from './stored-plan.ts'

const valve = { serial: 'V1', deviceId: 7, openingPct: 50 }
const plan = createTestPlan([valve], [['open', { V1: 60 }]], { node: '1', plannedAt: 1_000 })

test('a plan is read as it was stored, with the planner’s memory', () => {
  const whole = { ...plan, common: 41.5, memory: { learned: [1, { deep: null }] } }
  expect(parsePlan(PLAN_FORMAT, JSON.parse(toPlanJson(whole)))).toEqual(whole)
})

test('the result of a round is read as it was stored', () => {
  const verification = {
    station: { headKpa: 50 },
    indices: { sigmaReturnK: 0.4 },
    memory: { learned: 2 },
    members: [{ deviceId: 7, after: { openingPct: 60 }, verdict: 'accepted' as const }],
  }
  expect(parseVerification(JSON.parse(toVerificationJson(verification)))).toEqual(verification)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('a plan with %d in it is not stored', (number) => {
  expect(() => toPlanJson({ ...plan, common: number })).toThrow()
  expect(() => toPlanJson({ ...plan, indices: { before: { sigmaReturnK: number }, expected: {} } })).toThrow()
})

test('a plan in the format of another server version is not read', () => {
  expect(() => parsePlan(PLAN_FORMAT + 1, JSON.parse(toPlanJson(plan)))).toThrow(`format ${PLAN_FORMAT + 1}`)
})
