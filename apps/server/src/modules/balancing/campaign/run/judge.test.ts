import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { AppError } from '../../../../platform/app-error.ts'
import { systemClock } from '../../../../platform/clock.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { createTestPlan, createTestPlanner, createTestReadings } from '../campaign-plan.testkit.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import { type JudgeNeeds, judgeRound, judgeWave } from './judge.ts'

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
  missed: [],
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
const wave = { answeredAt: ENDED, given: 1, unanswered: 0, missed: [], step }
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

type Observe = JudgeNeeds['planner']['observe']
const observed: Awaited<ReturnType<Observe>> = {
  at: ENDED,
  flowM3H: new Map([[7, 1]]),
  headKpa: 50,
  coldRooms: 0,
}
const measured = createTestPlanner(createTestReadings(), systemClock)
const needsOf = (planner: Partial<JudgeNeeds['planner']>): JudgeNeeds => ({
  planner: { ...measured, ...planner },
})
const early = { place, steps: [step], now: ENDED }
const late = { ...early, now: ENDED + plan.settleMs }
const planOf = { ...wave, plan }

test('a wave goes on as soon as every watched valve has a reading', async () => {
  const two: RoundPlan = {
    ...plan,
    steps: plan.steps.map((planned) => ({
      ...planned,
      minFlowM3H: [
        [7, 0.1],
        [8, 0.1],
      ],
    })),
  }
  // One of two valves is enough to judge, but the other is waited for.
  const half = needsOf({ observe: async () => observed })
  expect(await judgeWave(half, early, planOf)).toEqual({ kind: 'go-on' })
  expect(await judgeWave(half, early, { ...wave, plan: two })).toEqual({ kind: 'wait' })
  expect(await judgeWave(half, late, { ...wave, plan: two })).toEqual({ kind: 'go-on' })
})

test('a starved valve aborts the campaign before all readings are in', async () => {
  const starved = needsOf({ observe: async () => ({ ...observed, flowM3H: new Map([[7, 0.05]]) }) })
  const reason = { kind: 'starved', deviceIds: [7] }
  expect(await judgeWave(starved, early, planOf)).toEqual({ kind: 'abort', reason })
})

test('a loop without trusted readings is waited for, and then aborts the campaign', async () => {
  const unmeasured = () => Promise.reject(new AppError('balance.not-measured'))
  const blind = needsOf({ observe: unmeasured, verify: unmeasured })
  const abort = { kind: 'abort', reason: { kind: 'not-measured' } }
  expect(await judgeWave(blind, early, planOf)).toEqual({ kind: 'wait' })
  expect(await judgeWave(blind, late, planOf)).toEqual(abort)
  const round = { plan, mode: { kind: 'flow' }, settledAt: ENDED } as const
  expect(await judgeRound(blind, early, round)).toEqual({ kind: 'wait' })
  expect(await judgeRound(blind, late, round)).toEqual(abort)
})

test.each([new AppError('node.not-found'), new Error('broken')])(
  'another failure of the readings is not hidden: %s',
  async (failure) => {
    const failing = needsOf({ observe: () => Promise.reject(failure) })
    await expect(judgeWave(failing, late, planOf)).rejects.toBe(failure)
  },
)

test('a pump without an answer aborts the campaign', async () => {
  const pump = { deviceId: 9, fromKpa: 50, toKpa: 60 }
  const head = { ...planOf, step: { ...step, pump } }
  expect(await judgeWave(needsOf({}), early, { ...head, unanswered: 1 })).toEqual({
    kind: 'abort',
    reason: { kind: 'unanswered', share: 1 },
  })
  expect(await judgeWave(needsOf({}), early, head)).toEqual({ kind: 'go-on' })
})

test('lost commands of earlier waves of the round count, those of waves under way do not', async () => {
  const before = { ...step, moved: 9, unanswered: 3 }
  const judgedAfter = (state: StoredStep['state']) =>
    judgeWave(needsOf({}), { ...early, steps: [{ ...before, state }] }, { ...planOf, unanswered: 1 })
  expect(await judgedAfter('done')).toEqual({ kind: 'abort', reason: { kind: 'unanswered', share: 0.4 } })
  expect(await judgedAfter('given')).toEqual({ kind: 'go-on' })
})

test('valves that answered and did not arrive do not count as lost, in all waves of the round', async () => {
  const before: StoredStep = { ...step, moved: 9, unanswered: 2, missed: [1, 2], state: 'done' }
  const answered = { ...planOf, given: 9, unanswered: 2, missed: [7, 8] }
  expect(await judgeWave(needsOf({}), { ...early, steps: [before] }, answered)).toEqual({ kind: 'go-on' })
  const many = { ...early, steps: [{ ...before, unanswered: 4, missed: [1, 2, 3, 4] }] }
  expect((await judgeWave(needsOf({}), many, answered)).kind).toBe('abort')
  const none = { ...answered, unanswered: 0, missed: [] }
  expect((await judgeWave(needsOf({}), many, none)).kind).toBe('go-on')
})

test('a wave that was not planned cannot be judged', async () => {
  const unplanned = { ...planOf, step: { ...step, step: 2 } }
  await expect(judgeWave(needsOf({}), early, unplanned)).rejects.toThrow('wave 2')
})

const settled = { plan, mode: { kind: 'flow' }, settledAt: ENDED } as const

test('a round is verified as soon as every moved valve has a reading', async () => {
  expect(await judgeRound(needsOf({}), early, settled)).toMatchObject({
    kind: 'go-on',
    verification: { members: [{ deviceId: 7 }] },
  })
  const other = { ...step, moves: [{ deviceId: 8, fromPct: 50, toPct: 60 }] }
  expect(await judgeRound(needsOf({}), { ...early, steps: [step, other] }, settled)).toEqual({ kind: 'wait' })
  const unmoved = { ...step, moves: [] }
  expect((await judgeRound(needsOf({}), { ...early, steps: [unmoved, step] }, settled)).kind).toBe('go-on')
})

test('a head outside its limits aborts a settled round at once, with its result', async () => {
  const high = needsOf({ observe: async () => ({ ...observed, headKpa: 80 }) })
  const verdict = await judgeRound(high, early, settled)
  expect(verdict).toMatchObject({ kind: 'abort', reason: { kind: 'head-outside', headKpa: 80 } })
  expect(verdict.verification?.members).toHaveLength(1)
})

test('a settled round waits for the head, and aborts if it has none in time', async () => {
  const headless = needsOf({ observe: async () => ({ ...observed, headKpa: undefined }) })
  expect(await judgeRound(headless, early, settled)).toEqual({ kind: 'wait' })
  expect(await judgeRound(headless, late, settled)).toMatchObject({
    kind: 'abort',
    reason: { kind: 'not-measured' },
    verification: { members: [{ deviceId: 7 }] },
  })
})

test('a round is verified once, however often it is checked while it waits for readings', async () => {
  let isShown = false
  let verifications = 0
  const waiting = needsOf({
    observe: async () => ({ ...observed, headKpa: isShown ? 50 : undefined }),
    verify: (...order) => {
      verifications += 1
      return measured.verify(...order)
    },
  })
  for (let tick = 0; tick < 5; tick++)
    expect(await judgeRound(waiting, early, settled)).toEqual({ kind: 'wait' })
  expect(verifications).toBe(0)
  isShown = true
  expect((await judgeRound(waiting, early, settled)).kind).toBe('go-on')
  expect(verifications).toBe(1)
})

test('the limits of the last wave are those of the settled round', async () => {
  const [only] = plan.steps
  if (!only) throw new Error('no wave')
  const steps = [only, { ...only, minHeadKpa: 55 }]
  const verdict = await judgeRound(needsOf({}), early, { ...settled, plan: { ...plan, steps } })
  expect(verdict).toMatchObject({ kind: 'abort', reason: { kind: 'head-outside', headKpa: 50 } })
})

test('a round is verified with what was taken back in it', async () => {
  const memory = {
    devices: [7],
    step: { snapshots: [], broken: [], suspected: [], proven: [] },
    openings: [0.4],
    reportedPct: [40],
    moves: [{ consumer: 0, from: 0.6, to: 0.4 }],
    isTrim: false,
    rooms: { measured: [], cold: [] },
  }
  const round = { ...settled, plan: { ...plan, memory } }
  const verified: unknown[] = []
  const watched = needsOf({
    verify: (...given) => {
      verified.push(given[2].memory)
      return measured.verify(...given)
    },
  })
  const back: StoredStep = {
    ...step,
    step: 2,
    kind: 'take-back',
    state: 'done',
    moves: [{ deviceId: 7, fromPct: 40, toPct: 60 }],
  }
  await judgeRound(watched, { ...early, steps: [step] }, round)
  await judgeRound(watched, { ...early, steps: [step, back] }, round)
  expect(verified).toEqual([memory, { ...memory, openings: [0.6], reportedPct: [60], moves: [] }])
})

test('a round without waves is accepted with its result', async () => {
  const verdict = await judgeRound(
    needsOf({}),
    { ...early, steps: [] },
    { ...settled, plan: { ...plan, steps: [] } },
  )
  expect(verdict).toMatchObject({ kind: 'go-on', verification: { members: [{ deviceId: 7 }] } })
})

test('a wave after valves were taken back has its own limits, and the wave that takes back those of the wave before', async () => {
  const [only] = plan.steps
  if (!only) throw new Error('no wave')
  const two: RoundPlan = { ...plan, steps: [only, { ...only, minHeadKpa: 55 }] }
  const back: StoredStep = { ...step, step: 2, kind: 'take-back', state: 'done' }
  const steps = [{ ...step, state: 'done' as const }, back, { ...step, step: 3 }]
  const judged = (of: StoredStep) =>
    judgeWave(
      needsOf({ observe: async () => observed }),
      { ...early, steps },
      { ...wave, plan: two, step: of },
    )
  expect(await judged(back)).toEqual({ kind: 'go-on' })
  expect(await judged({ ...step, step: 3 })).toMatchObject({
    kind: 'abort',
    reason: { kind: 'head-outside', headKpa: 50 },
  })
})
